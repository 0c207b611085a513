/** The page that shows all pictures side by side. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Place } from './places.ts'
import type { Picture } from './walk.ts'

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`)

const STYLE = `body{font:14px/1.5 system-ui,sans-serif;margin:24px;background:Canvas;color:CanvasText;color-scheme:light dark}
h2{margin:32px 0 8px}.row{display:flex;gap:12px;overflow-x:auto;align-items:flex-start;padding-bottom:12px}
figure{margin:0;flex:none}img{display:block;height:420px;border:1px solid GrayText;object-fit:cover;object-position:top}
.fault{color:Red}`

/** Writes index.html beside the pictures. */
export async function writeIndex(
  out: string,
  places: readonly Place[],
  pictures: readonly Picture[],
): Promise<void> {
  const sections = places.map(({ name, path }) => {
    const own = pictures.filter(({ place }) => place === name)
    const faults = own.flatMap(({ width, theme, faults: found }) =>
      found.map(fault => `<li class="fault">${width} px, ${theme}: ${escaped(fault)}</li>`),
    )
    const figures = own
      .filter(({ file }) => file !== null)
      .toSorted((a, b) => a.theme.localeCompare(b.theme) * -1 || a.width - b.width)
      .map(({ file, width, theme }) => {
        const caption = `${width} px, ${theme}`
        const image = `<img loading="lazy" src="${file}" alt="${escaped(name)} at ${caption}">`
        return `<figure><a href="${file}">${image}</a><figcaption>${caption}</figcaption></figure>`
      })
    const title = `<h2 id="${escaped(name)}">${escaped(name)} <small>${escaped(path)}</small></h2>`
    return `${title}<ul>${faults.join('')}</ul><div class="row">${figures.join('')}</div>`
  })
  const count = pictures.reduce((sum, { faults }) => sum + faults.length, 0)
  await writeFile(
    join(out, 'index.html'),
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Evenpost, gallery</title><style>${STYLE}</style>
<h1>${pictures.length} pictures, ${count} faults</h1>${sections.join('\n')}</html>\n`,
  )
}
