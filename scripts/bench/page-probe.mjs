// Runs in the page that bulk-page.ts measures, from its start: `benchProbe` works the page as a user
// does and gives milliseconds.
globalThis.benchProbe = makeProbe()

function makeProbe() {
  /** A page without a long task for so many ms rests. */
  const REST_MS = 1500
  const SCROLL_FRAMES = 150
  /** A notch of the wheel in each frame. */
  const SCROLL_PX = 120
  const tasks = []
  new PerformanceObserver(list => tasks.push(...list.getEntries())).observe({
    type: 'longtask',
    buffered: true,
  })
  let file

  const now = () => performance.now()
  const frame = () => new Promise(resolve => requestAnimationFrame(() => resolve()))
  const until = async (test, tick = frame) => {
    const end = now() + 120_000
    for (;;) {
      const found = test()
      if (found) return found
      if (now() > end) throw new Error(`not in time: ${test}`)
      await tick()
    }
  }
  /** The next frame has been drawn. */
  const drawn = async () => {
    await frame()
    await new Promise(resolve => setTimeout(resolve))
    return now()
  }
  const find = selector => document.querySelector(selector)
  const grid = () => find('[role=grid]')
  const buttonNamed = text =>
    [...document.querySelectorAll('button, [role=menuitem]')].find(
      one => one.textContent.trim() === text,
    )
  const canSubmit = () => buttonNamed('Submit')?.getAttribute('aria-disabled') !== 'true'

  async function load(path) {
    const blob = await (await fetch(`/${path}`)).blob()
    file = new File([blob], path, { type: blob.type })
  }

  async function read() {
    const input = find('input[type=file]')
    const files = new DataTransfer()
    files.items.add(file)
    input.files = files.files
    const start = now()
    input.dispatchEvent(new Event('change', { bubbles: true }))
    await until(() => find('tbody tr td[data-column], [data-first-rows] tbody td'))
    const firstRows = await drawn()
    await until(() => grid() && canSubmit())
    const ready = await drawn()
    const lastEnd = () =>
      tasks.reduce((last, task) => Math.max(last, task.startTime + task.duration), ready)
    await until(() => now() - lastEnd() > REST_MS)
    const during = tasks.filter(task => task.startTime + task.duration > start)
    return {
      rows: Number(grid().getAttribute('aria-rowcount')) - 2,
      firstRowsMs: firstRows - start,
      readyMs: ready - start,
      settledMs: lastEnd() - start,
      longestMs: Math.max(0, ...during.map(task => task.duration)),
      longTasks: during.length,
    }
  }

  const typeSearch = text => {
    const field = find('form[role=search] input')
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, text)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const rowCount = () => grid().getAttribute('aria-rowcount')

  /** From Enter in the search until its rows are drawn. */
  async function filter() {
    const run = async text => {
      typeSearch(text)
      await frame()
      const before = rowCount()
      const start = now()
      find('form[role=search]').requestSubmit()
      await until(() => rowCount() !== before)
      return (await drawn()) - start
    }
    const ms = await run('17')
    await run('')
    return ms
  }

  /** From the choice in the menu of the column until the sorted rows are drawn. */
  async function sort() {
    const head = [...document.querySelectorAll('[data-head]')].find(one => one.title === 'To City')
    const isSorted = () => grid().querySelector('[aria-sort]') !== null
    head.click()
    const item = await until(() => buttonNamed('Sort ascending'))
    const start = now()
    item.click()
    await until(isSorted)
    const ms = (await drawn()) - start
    const back = await until(() => buttonNamed('Back to the original order'))
    back.click()
    await until(() => !isSorted())
    await drawn()
    return ms
  }

  /** The time between frames while the table scrolls, which 95 of 100 do not exceed. */
  async function scroll() {
    const scroller = grid().parentElement
    const gaps = []
    let last = await frame().then(now)
    for (let count = 0; count < SCROLL_FRAMES; count++) {
      scroller.scrollTop += SCROLL_PX
      await frame()
      gaps.push(now() - last)
      last = now()
    }
    return gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length * 0.95)]
  }

  return { load, read, filter, sort, scroll }
}
