/**
 * What columns are called in German and Spanish, as the names are compared: without accents, spaces and punctuation. A name that also means
 * something else is left out, such as 'estado', the status of an order too, and 'firma', which signs in Spanish.
 */
import type { MappedUse } from '#contract/imports.ts'

/** `parts` of an address stand alone or beside a word of `sides`, first and last names of `others` beside the receiver's too. */
export type HeaderWords = {
  parts: Record<string, readonly string[]>
  sides: Record<'From' | 'To', readonly string[]>
  others: Partial<Record<MappedUse, readonly string[]>>
}

export const GERMAN: HeaderWords = {
  parts: {
    name: ['name', 'vollstandigername', 'ansprechpartner'],
    company: ['firmenname', 'unternehmen'],
    phone: ['telefon', 'telefonnummer', 'telefonnr', 'handy', 'handynummer', 'mobilnummer'],
    street1: [
      'adresse',
      'adresse1',
      'adresszeile1',
      'anschrift',
      'strasse',
      'strasse1',
      'strassehausnummer',
      'strasseundhausnummer',
      'strassehausnr',
      'strassenr',
    ],
    street2: ['adresse2', 'adresszeile2', 'adresszusatz', 'strasse2'],
    city: ['ort', 'stadt', 'wohnort'],
    state: ['bundesland', 'bundesstaat'],
    zip: ['plz', 'postleitzahl'],
    country: ['land', 'landercode', 'laendercode'],
  },
  sides: {
    To: ['empfanger', 'empfaenger', 'liefer', 'lieferung', 'lieferadresse', 'kunde', 'kunden'],
    From: ['absender', 'versender'],
  },
  others: {
    FirstName: ['vorname'],
    LastName: ['nachname', 'familienname'],
    StreetNumber: ['hausnummer', 'hausnr'],
    ToRecipientName: ['empfanger', 'empfaenger', 'kunde', 'namedesempfangers'],
    orderId: [
      'bestellung',
      'bestellnummer',
      'bestellnr',
      'bestellid',
      'auftragsnummer',
      'auftragsnr',
    ],
    skuNumber: ['artikelnummer', 'artikelnr', 'produktnummer'],
    quantity: ['menge', 'anzahl', 'stuckzahl', 'stueckzahl'],
    PackageWeight: ['gewicht', 'paketgewicht', 'gesamtgewicht', 'versandgewicht', 'bruttogewicht'],
    WeightUnit: ['gewichtseinheit'],
    PackageLength: ['lange', 'laenge'],
    PackageWidth: ['breite'],
    PackageHeight: ['hohe', 'hoehe'],
    PackageDescription: [
      'beschreibung',
      'artikelbezeichnung',
      'artikelname',
      'artikel',
      'produkt',
      'produktname',
      'inhalt',
    ],
  },
}

export const SPANISH: HeaderWords = {
  parts: {
    name: ['nombrecompleto', 'nombreyapellido', 'nombreyapellidos'],
    company: ['empresa', 'compania', 'razonsocial'],
    phone: ['telefono', 'numerodetelefono', 'movil', 'telefonomovil', 'celular'],
    street1: [
      'direccion',
      'direccion1',
      'direccionlinea1',
      'lineadedireccion1',
      'calle',
      'calleynumero',
      'callenumero',
      'domicilio',
    ],
    street2: ['direccion2', 'direccionlinea2', 'lineadedireccion2'],
    city: ['ciudad', 'poblacion', 'localidad', 'municipio'],
    state: ['provincia', 'estadoprovincia', 'provinciaestado'],
    zip: ['codigopostal', 'codpostal'],
    country: ['pais', 'codigodepais', 'codigopais'],
  },
  sides: {
    To: [
      'destinatario',
      'deldestinatario',
      'envio',
      'deenvio',
      'entrega',
      'deentrega',
      'destino',
      'dedestino',
      'cliente',
      'delcliente',
    ],
    From: ['remitente', 'delremitente', 'origen', 'deorigen'],
  },
  others: {
    // The whole name where there is no column of last names.
    FirstName: ['nombre'],
    LastName: ['apellido', 'apellidos'],
    StreetNumber: ['numerodecasa', 'numeroexterior', 'numexterior', 'noexterior'],
    ToRecipientName: ['destinatario', 'cliente'],
    ToStreet1: ['direcciondeenvio1', 'direcciondeentrega1'],
    ToStreet2: ['direcciondeenvio2', 'direcciondeentrega2'],
    orderId: [
      'pedido',
      'idpedido',
      'iddepedido',
      'iddelpedido',
      'npedido',
      'nopedido',
      'ndepedido',
      'nodepedido',
      'numerodepedido',
      'numerodelpedido',
      'numerodeorden',
    ],
    skuNumber: ['codigodeproducto', 'codigodelproducto', 'codigodearticulo', 'codigodelarticulo'],
    quantity: ['cantidad', 'unidades'],
    PackageWeight: ['peso', 'pesototal', 'pesobruto', 'pesodelpaquete'],
    WeightUnit: ['unidaddepeso'],
    PackageLength: ['largo'],
    PackageWidth: ['ancho', 'anchura'],
    PackageHeight: ['alto', 'altura'],
    PackageDescription: [
      'descripcion',
      'articulo',
      'producto',
      'nombredelproducto',
      'descripciondelproducto',
      'contenido',
    ],
  },
}
