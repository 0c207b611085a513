import { PRODUCT } from '#contract/product.ts'
import type { PageTree } from './page-tree.ts'
import type { PdfFile } from './pdf-objects.ts'
import { LABEL_SHAPE, mediaBox } from './sheet.ts'

/** Shared by all pages of a file; `layers` are forms in label size, used by name. */
export type PdfSettings = {
  pageSize: { width: number; height: number }
  title: string
  layers: Record<string, string>
}

/** Ends a file whose pages use fonts /B and /R. Throws without pages. */
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
    // Printed at 100 %: with "fit to page", bars get the wrong width.
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
