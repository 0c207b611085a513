/**
 * The payment service's script, which puts `window.btcpay` into the page and draws the payment dialog itself. The sandbox's own
 * script has the same surface.
 */

/** What we use of it. */
export type Btcpay = {
  showInvoice: (invoiceId: string) => void
  onModalWillLeave: (work: () => void) => void
  onModalReceiveMessage: (work: (message: unknown) => void) => void
}

declare global {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface merges with the browser’s own
  interface Window {
    btcpay?: Btcpay
  }
}

/** Loads the script once for the page. Rejects when it cannot be had; a later call tries again. */
export function loadBtcpay(src: string): Promise<Btcpay> {
  if (window.btcpay) return Promise.resolve(window.btcpay)
  return new Promise((done, fail) => {
    const script = document.createElement('script')
    const lost = () => {
      script.remove()
      fail(new Error(`The payment script ${src} cannot be loaded`))
    }
    script.addEventListener('load', () => (window.btcpay ? done(window.btcpay) : lost()))
    script.addEventListener('error', lost)
    script.async = true
    script.src = src
    document.head.append(script)
  })
}

/**
 * The news in a message of the payment dialog: which invoice has which status; null for everything else that is said in there.
 * The script hands on the window's message event; its data are somebody else's words, so nothing is taken for granted.
 */
export function invoiceStatusFrom(message: unknown): { invoiceId: string; status: string } | null {
  const said = isRecord(message) && 'data' in message ? message.data : message
  return isRecord(said) && typeof said.invoiceId === 'string' && typeof said.status === 'string'
    ? { invoiceId: said.invoiceId, status: said.status }
    : null
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
