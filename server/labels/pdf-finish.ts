import { PRODUCT } from '#contract/product.ts'
import type { PageTree } from './page-tree.ts'
import type { PdfFile } from './pdf-objects.ts'
import { LABEL_SHAPE, mediaBox } from './sheet.ts'

/** What all pages of a file share; `layers` are drawn by their names on any of them, each as large as a label. */
export type PdfSettings = {
  pageSize: { width: number; height: number }
  title: string
  layers: Record<string, string>
}

/** Ends a file of ours, whose pages know the faces /B and /R. Throws when there is no page. */
export function finishPdf(
  file: PdfFile,
  tree: PageTree,
  { pageSize, title, layers }: PdfSettings,
): void {
  const catalog = file.reserve()
  const info = file.reserve()
  const resources = file.reserve()
  const pages = tree.finish(`${mediaBox(pageSize)}/Resources ${resources} 0 R`)
  const bold = file.reserve()
  const regular = file.reserve()
  const fonts = `/Font<</B ${bold} 0 R/R ${regular} 0 R>>`
  const form = `/Type/XObject/Subtype/Form/BBox[${LABEL_SHAPE.box.join(' ')}]/Resources<<${fonts}>>`
  const forms = Object.entries(layers)
    .map(([name, content]) => `/${name} ${file.stream(content, form)} 0 R`)
    .join('')
  file.objectStream([
    pages,
    { id: resources, body: `<<${fonts}/XObject<<${forms}>>>>` },
    { id: bold, body: fontDictionary('Helvetica-Bold') },
    { id: regular, body: fontDictionary('Helvetica') },
    // Printed at its own size: a label that a viewer "fits to page" has bars of the wrong width.
    {
      id: catalog,
      body: `<</Type/Catalog/Pages ${pages.id} 0 R/Lang(en-US)/ViewerPreferences<</PrintScaling/None/DisplayDocTitle true>>>>`,
    },
    { id: info, body: `<</Title(${title})/Producer(${PRODUCT})>>` },
  ])
  file.finish(catalog, info)
}

function fontDictionary(name: string): string {
  return `<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding/WinAnsiEncoding>>`
}
