/**
 * Draws the icons and the Open Graph image in web/public. Run `node scripts/draw-pictures.ts` when
 * the logo or the image's component changes, and commit the files.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import type { Browser } from '@playwright/test'
import { buildAndRender } from '#web/landing/build-and-render.ts'
import { findChromium } from './chromium.ts'

const PUBLIC = join(import.meta.dirname, '..', 'web', 'public')
const BACKGROUND_COLOR = '#faf7f1'

const browser = await chromium.launch({ executablePath: await findChromium(console.log) })
try {
  const mark = await readFile(join(PUBLIC, 'mark.svg'), 'utf8')
  await writeFile(join(PUBLIC, 'favicon.ico'), asIcon(await drawMark(browser, mark, 32, 32), 32))
  // Phones crop home screen icons: the logo has a background and space around it.
  await writeFile(
    join(PUBLIC, 'apple-touch-icon.png'),
    await drawMark(browser, mark, 180, 128, BACKGROUND_COLOR),
  )
  await writeFile(join(PUBLIC, 'icon-192.png'), await drawMark(browser, mark, 192, 192))
  await writeFile(join(PUBLIC, 'icon-512.png'), await drawMark(browser, mark, 512, 512))
  await writeFile(
    join(PUBLIC, 'icon-maskable-512.png'),
    await drawMark(browser, mark, 512, 300, BACKGROUND_COLOR),
  )
  await writeFile(join(PUBLIC, 'og.png'), await drawPicture(browser))
} finally {
  await browser.close()
}

/**
 * The logo as PNG: the image is `size` px wide and high, the logo `inner` px. Transparent without
 * `background`.
 */
async function drawMark(
  on: Browser,
  mark: string,
  size: number,
  inner: number,
  background = 'transparent',
): Promise<Buffer> {
  const page = await on.newPage({ viewport: { width: size, height: size } })
  await page.setContent(
    `<style>body{margin:0;display:grid;place-items:center;height:${size}px;background:${background}}`
      + `svg{width:${inner}px;height:${inner}px}</style>${mark}`,
  )
  const picture = await page.screenshot({ omitBackground: true })
  await page.close()
  return picture
}

/** An .ico with one PNG: a header of 6 bytes, an entry of 16, the image. */
function asIcon(png: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(size, 6)
  head.writeUInt8(size, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}

/** The image of web/landing/OpenGraphImage.tsx, 1200 by 630 px as Open Graph recommends. */
async function drawPicture(on: Browser): Promise<Buffer> {
  const { text, css, assets } = await buildAndRender<string>('landing/OpenGraphImage.tsx')
  const page = await on.newPage({ viewport: { width: 1200, height: 630 } })
  await page.route('http://picture.invalid/**', route => {
    const path = new URL(route.request().url()).pathname.slice(1)
    const asset = assets.find(({ fileName }) => fileName === path)
    const html = `<!doctype html><meta charset="utf-8"><style>${css}</style>${text}`
    return path === ''
      ? route.fulfill({ contentType: 'text/html', body: html })
      : asset
        ? route.fulfill({ body: Buffer.from(asset.source) })
        : route.abort()
  })
  await page.goto('http://picture.invalid/')
  await page.evaluate('document.fonts.ready')
  const picture = await page.screenshot()
  await page.close()
  return picture
}
