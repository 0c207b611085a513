/* Opens the sandbox's payment page in a frame. Same API as BTCPay's own script. */
;(function () {
  if (window.btcpay) {
    console.warn('The payment script is already loaded.')
    return
  }

  const SUFFIX = '/modal/btcpay.js'
  let base = document.currentScript
    ? document.currentScript.src.split('?')[0].replace(SUFFIX, '')
    : location.origin
  let willEnter = () => {}
  let willLeave = () => {}
  let receive = () => {}
  let shown = false
  let focusedBefore = null
  let madeInert = []

  const frame = document.createElement('iframe')
  frame.name = 'btcpay'
  frame.title = 'Sandbox payment'
  frame.allow = 'clipboard-write'
  // Styles set from script are not blocked by the page's content security policy.
  Object.assign(frame.style, {
    position: 'fixed',
    inset: '0',
    width: '100%',
    height: '100%',
    border: '0',
    zIndex: '2000',
    display: 'none',
    background: 'transparent',
  })

  function attachFrame() {
    if (!frame.isConnected) document.body.append(frame)
  }

  /** Hides the page under the dialog from keyboard and screen reader. */
  function makeRestInert() {
    madeInert = [...document.body.children].filter(
      element => element !== frame && !element.inert && element.tagName !== 'SCRIPT',
    )
    for (const element of madeInert) element.inert = true
  }

  function restoreRest() {
    for (const element of madeInert) element.inert = false
    madeInert = []
  }

  function showFrame() {
    attachFrame()
    if (shown) return
    shown = true
    focusedBefore = document.activeElement
    willEnter()
    frame.style.display = 'block'
    makeRestInert()
    frame.focus()
  }

  function hideFrame() {
    if (!shown) return
    shown = false
    willLeave()
    frame.style.display = 'none'
    restoreRest()
    if (frame.isConnected) frame.remove()
    if (focusedBefore && focusedBefore.isConnected) focusedBefore.focus()
  }

  /** Loads the frame; it is shown when its page reports 'loaded'. */
  function appendInvoiceFrame(invoiceId, { labelPrice } = {}) {
    const price = labelPrice > 0 ? `&labelPrice=${encodeURIComponent(labelPrice)}` : ''
    frame.src = `${base}/invoice?id=${encodeURIComponent(invoiceId)}&view=modal${price}`
    attachFrame()
  }

  function appendAndShowInvoiceFrame(invoiceId, params) {
    appendInvoiceFrame(invoiceId, params)
    showFrame()
  }

  window.addEventListener('message', event => {
    if (
      event.origin !== new URL(base, location.href).origin
      || event.source !== frame.contentWindow
    )
      return
    if (event.data === 'loaded') showFrame()
    else if (event.data === 'close') hideFrame()
    receive(event)
  })

  window.btcpay = {
    showFrame,
    hideFrame,
    showInvoice: appendInvoiceFrame,
    appendInvoiceFrame,
    appendAndShowInvoiceFrame,
    onModalWillEnter: work => {
      willEnter = work
    },
    onModalWillLeave: work => {
      willLeave = work
    },
    setApiUrlPrefix: prefix => {
      base = prefix.replace(/\/+$/, '')
    },
    onModalReceiveMessage: work => {
      receive = work
    },
  }
})()
