// What a person does and sees on a page in Firefox: by role and accessible name, as a screen reader finds it.
import type { ElementHandle, Frame, Page } from 'puppeteer-core'

export type Walker = {
  open(path: string): Promise<void>
  /** Types into fields by their labels. */
  fill(values: Record<string, string>): Promise<void>
  press(role: string, name: string): Promise<void>
  /** The first whose name starts with these words. */
  pressStarting(role: string, start: string): Promise<void>
  /** Chooses from a list by its label. */
  choose(label: string, option: string): Promise<void>
  upload(label: string, file: string): Promise<void>
  /** Waits until this text is visible. */
  see(text: string): Promise<void>
  /** Waits for the amount in the header. */
  seeBalance(amount: string): Promise<void>
  /** The page in the frame of that title. */
  frame(title: string): Promise<Walker>
  /** Acts in the region of that name alone. */
  within(region: string, work: (part: Walker) => Promise<void>): Promise<void>
  /** The file behind a link, requested with the cookies of the page: its type and first four letters. */
  fetchLink(name: string): Promise<{ type: string; start: string }>
  /** Asks again until there is an answer. Throws after two minutes, with what was waited for. */
  until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T>
}

const TIMEOUT_MS = 120_000
const INTERVAL_MS = 100

/** `place` is a page or a frame; `root` narrows it to one element. */
export function createWalker(place: Page | Frame, url: string, root?: ElementHandle): Walker {
  const find = (role: string, name: string) =>
    until(`${role} '${name}'`, async () => {
      const found = await (root ?? place).$$(`::-p-aria([name="${name}"][role="${role}"])`)
      for (const one of found) if (await one.isVisible()) return one
      return undefined
    })
  const walker: Walker = {
    async open(path) {
      await (place as Page).goto(new URL(path, url).href, { waitUntil: 'domcontentloaded' })
    },
    async fill(values) {
      for (const [label, value] of Object.entries(values)) {
        // A password field has no role, so the name alone finds it.
        const field = await findField(label)
        await field.click({ count: 3 })
        await field.type(value)
      }
    },
    async press(role, name) {
      const target = await find(role, name)
      await until(`${role} '${name}' enabled`, async () =>
        (await target.evaluate(one => (one as HTMLButtonElement).disabled)) ? undefined : true,
      )
      await target.click()
    },
    async pressStarting(role, start) {
      const target = await until(`${role} '${start}…'`, async () => {
        for (const one of await (root ?? place).$$(role))
          if (
            await one.evaluate(
              (node, words) =>
                (node.getAttribute('aria-label') ?? node.textContent).trim().startsWith(words),
              start,
            )
          )
            return one
        return undefined
      })
      await target.click()
    },
    async choose(label, option) {
      const field = await find('combobox', label)
      if (await field.evaluate(one => one instanceof HTMLSelectElement)) {
        const value = await field.evaluate(
          (one, wanted) =>
            [...(one as HTMLSelectElement).options].find(({ text }) => text === wanted)?.value,
          option,
        )
        await field.select(value ?? option)
        return
      }
      await field.click()
      // The list stands outside of the region of its field.
      await createWalker(place, url).press('option', option)
    },
    async upload(label, file) {
      const input = await until(`the field of files '${label}'`, async () => {
        for (const one of await place.$$('input[type=file]')) {
          const named = await one.evaluate(
            field =>
              field.getAttribute('aria-label')
              ?? [...((field as HTMLInputElement).labels ?? [])].map(l => l.textContent).join(' '),
          )
          if (named.includes(label)) return one as ElementHandle<HTMLInputElement>
        }
        return undefined
      })
      await input.uploadFile(file)
    },
    async see(text) {
      await until(`the text '${text}'`, async () =>
        (await place.evaluate(words => document.body.innerText.includes(words), text))
          ? true
          : undefined,
      )
    },
    async seeBalance(amount) {
      await until(`a balance of ${amount}`, async () =>
        (await place.evaluate(
          words => document.querySelector('header')?.innerText.includes(words),
          amount,
        ))
          ? true
          : undefined,
      )
    },
    async frame(title) {
      const handle = await until(
        `the frame '${title}'`,
        async () => (await place.$(`iframe[title="${title}"]`)) ?? undefined,
      )
      return createWalker((await handle.contentFrame())!, url)
    },
    async within(region, work) {
      await work(createWalker(place, url, await find('region', region)))
    },
    async fetchLink(name) {
      const link = await find('link', name)
      return link.evaluate(async one => {
        const answer = await fetch((one as HTMLAnchorElement).href)
        return {
          type: answer.headers.get('content-type') ?? '',
          start: (await answer.text()).slice(0, 4),
        }
      })
    },
    until,
  }
  return walker

  function findField(label: string) {
    return until(`the field '${label}'`, async () => {
      for (const one of await (root ?? place).$$(`::-p-aria([name="${label}"])`))
        if (await one.evaluate(node => node.matches('input, textarea'))) return one
      return undefined
    })
  }

  async function until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
    const end = Date.now() + TIMEOUT_MS
    let reason: unknown
    while (Date.now() < end) {
      try {
        const answer = await ask()
        if (answer !== undefined) return answer
      } catch (error) {
        // The page may have changed while it was read.
        reason = error
      }
      await new Promise(next => setTimeout(next, INTERVAL_MS))
    }
    throw new Error(`Firefox waited two minutes for ${what}.`, { cause: reason })
  }
}
