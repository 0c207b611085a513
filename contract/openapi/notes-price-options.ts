/** Descriptions of services side by side, and of signature and Saturday. */
import { count } from './note-parts.ts'
import type { Notes } from './notes.ts'

export const PRICE_OPTION_NOTES: Notes = {
  'Order.signature': 'Signature on delivery; absent for none',
  'Order.saturday': 'Delivery on a Saturday was asked for; absent otherwise',
  'AvailableService.pricedByParcel':
    'The price depends on size or ZIP codes too; absent where the weight alone decides',
  'AvailableService.pricedByCarrier':
    'The carrier is asked for the price of each parcel; absent otherwise',
  'AvailableService.options': 'What a label may ask for beside the service, with its price',
  'AvailableService.options.signature':
    'A signature on delivery: its price on top, or why it is not sold',
  'AvailableService.options.signature.price':
    'Dollars on top of the price of the service; null where it is not sold',
  'AvailableService.options.signature.reason':
    'Why it is not sold, as a sentence; null where it is',
  'AvailableService.options.adult':
    'A signature of a person of 21 years or older: its price on top, or why it is not sold',
  'AvailableService.options.adult.price':
    'Dollars on top of the price of the service; null where it is not sold',
  'AvailableService.options.adult.reason': 'Why it is not sold, as a sentence; null where it is',
  'AvailableService.options.saturday':
    'Delivery on a Saturday: its price on top, or why it is not sold',
  'AvailableService.options.saturday.price':
    'Dollars on top of the price of the service; null where it is not sold',
  'AvailableService.options.saturday.reason': 'Why it is not sold, as a sentence; null where it is',
  'placeOrder.signature': 'Signature on delivery, where the service is sold with it',
  'placeOrder.saturday': 'Delivery on a Saturday, where the service is sold with it',
  'placeOrder.agreed_price':
    'Price with the options in dollars as you saw it; at another one nothing is bought',
  'ParcelToPrice.weight': 'Pounds; missing or empty is unknown and priced as 1 lb',
  'ParcelToPrice.length': 'Longest side in inches; counts where all three are known',
  'ParcelToPrice.width': 'Second side in inches; counts where all three are known',
  'ParcelToPrice.height': 'Third side in inches; counts where all three are known',
  'ParcelToPrice.fromZip': 'ZIP code of the sender, for prices by zone',
  'ParcelToPrice.toZip': 'ZIP code of the receiver, for prices by zone',
  'ParcelToTotal.weight': 'Pounds; missing or empty is unknown and priced as 1 lb',
  'ParcelToTotal.length': 'Longest side in inches; counts where all three are known',
  'ParcelToTotal.width': 'Second side in inches; counts where all three are known',
  'ParcelToTotal.height': 'Third side in inches; counts where all three are known',
  'ParcelToTotal.fromZip': 'ZIP code of the sender, for prices by zone',
  'ParcelToTotal.toZip': 'ZIP code of the receiver, for prices by zone',
  'ParcelToTotal.signature': 'Signature on delivery; a service without it does not take the parcel',
  'ParcelToTotal.saturday': 'Delivery on a Saturday; a service without it does not take the parcel',
  'Shipment.signature': 'Signature on delivery; its price is added',
  'Shipment.saturday': 'Delivery on a Saturday; its price is added',
  'ParcelToTotal.count': 'Number of the same parcels; 1 by default',
  'ServiceOption.name': 'Name of the service',
  'ServiceOption.price':
    'Dollars without options; null where the service does not take this parcel',
  'ServiceOption.reason': 'Why the service does not take this parcel; null where it does',
  'ServiceOption.reason.text': 'The reason as a sentence',
  'ServiceOption.signature': 'A signature on delivery: its price on top, or why it is not sold',
  'ServiceOption.signature.price':
    'Dollars on top of the price of the service; null where it is not sold',
  'ServiceOption.signature.reason': 'Why it is not sold, as a sentence; null where it is',
  'ServiceOption.adult':
    'A signature of a person of 21 years or older: its price on top, or why it is not sold',
  'ServiceOption.adult.price':
    'Dollars on top of the price of the service; null where it is not sold',
  'ServiceOption.adult.reason': 'Why it is not sold, as a sentence; null where it is',
  'ServiceOption.saturday': 'Delivery on a Saturday: its price on top, or why it is not sold',
  'ServiceOption.saturday.price':
    'Dollars on top of the price of the service; null where it is not sold',
  'ServiceOption.saturday.reason': 'Why it is not sold, as a sentence; null where it is',
  'priceTotals.parcels': 'Parcels to price, at most 50,000 with their counts',
  'priceTotals.services': 'One entry for each service that the user can buy',
  'priceTotals.services.name': 'Name of the service',
  'priceTotals.services.total': 'Dollars for the parcels that the service takes',
  'priceTotals.services.labels': count('Parcels that the service takes'),
  'priceTotals.services.reason':
    'Why it does not take the first of the others; null where it takes all',
  'priceTotals.services.reason.text': 'The reason as a sentence',
  'priceTotals.cheapest': 'Each parcel with the cheapest service that takes it',
  'priceTotals.cheapest.total': 'Dollars for all parcels that a service takes',
  'priceTotals.cheapest.labels': count('Parcels that a service takes'),
  'priceTotals.cheapest.choices':
    'Place of the service in services for each parcel, from 0; null where none takes it',
  'optionPrices.signature': 'A signature on delivery with this service',
  'optionPrices.signature.offered': 'The carrier has it',
  'optionPrices.signature.price': 'Dollars on top; null while it is not sold',
  'optionPrices.adult': 'An adult signature with this service',
  'optionPrices.adult.offered': 'The carrier has it',
  'optionPrices.adult.price': 'Dollars on top; null while it is not sold',
  'optionPrices.saturday': 'Delivery on a Saturday with this service',
  'optionPrices.saturday.offered': 'The carrier has it',
  'optionPrices.saturday.price': 'Dollars on top; null while it is not sold',
  'setOptionPrices.service.signature': 'A signature on delivery with this service',
  'setOptionPrices.service.signature.offered': 'The carrier has it',
  'setOptionPrices.service.signature.price': 'Dollars on top; null while it is not sold',
  'setOptionPrices.service.adult': 'An adult signature with this service',
  'setOptionPrices.service.adult.offered': 'The carrier has it',
  'setOptionPrices.service.adult.price': 'Dollars on top; null while it is not sold',
  'setOptionPrices.service.saturday': 'Delivery on a Saturday with this service',
  'setOptionPrices.service.saturday.offered': 'The carrier has it',
  'setOptionPrices.service.saturday.price': 'Dollars on top; null while it is not sold',
  'lossLimits.installation': 'Dollars that a label may cost above its price; null without a limit',
  'lossLimits.services': 'One entry for each default service',
  maxLoss: 'Dollars that a label may cost above its price; null: as the installation',
  seenMaxLoss: 'The limit as you saw it; 409 if it has changed since',
  'setOptionPrices.prices': 'Dollars on top of the price of the service; null: not sold',
  'setOptionPrices.seenPrices':
    'The prices when they were read; refused if they have changed since',
  'setOptionPrices.prices.signature': 'A signature on delivery in dollars; null: not sold',
  'setOptionPrices.prices.adult': 'An adult signature in dollars; null: not sold',
  'setOptionPrices.prices.saturday': 'Delivery on a Saturday in dollars; null: not sold',
  'setOptionPrices.seenPrices.signature': 'A signature on delivery in dollars; null: not sold',
  'setOptionPrices.seenPrices.adult': 'An adult signature in dollars; null: not sold',
  'setOptionPrices.seenPrices.saturday': 'Delivery on a Saturday in dollars; null: not sold',
}
