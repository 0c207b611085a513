/** The script of BTCPay Server, which defines `window.btcpay` and draws the payment dialog. The sandbox has a compatible one. */

/** The part of its API that is used here. */
type Btcpay = {
  /** The sandbox's dialog says how many labels at `labelPrice` dollars the invoice buys; BTCPay ignores it. */
  showInvoice: (invoiceId: string, params: { labelPrice: number | null | undefined }) => void
  onModalWillLeave: (work: () => void) => void
  onModalReceiveMessage: (work: (message: unknown) => void) => void
}

declare global {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface merges with the browser’s own
  interface Window {
    btcpay?: Btcpay
  }
}

/** Loads the script once per page. Rejects when it cannot be loaded; a later call retries. */
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

/** The invoice status in a message event of the payment dialog; null for other messages. The data is untrusted. */
export function invoiceStatusFrom(message: unknown): { invoiceId: string; status: string } | null {
  const data = isRecord(message) && 'data' in message ? message.data : message
  return isRecord(data) && typeof data.invoiceId === 'string' && typeof data.status === 'string'
    ? { invoiceId: data.invoiceId, status: data.status }
    : null
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
