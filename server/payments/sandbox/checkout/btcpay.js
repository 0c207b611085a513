/* Opens the sandbox's payment page in a frame over the page that loaded this script. Same surface as BTCPay's own script. */
;(function () {
  if (window.btcpay) {
    console.warn('The payment script is loaded already.')
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
  // Set through the object model: the pages' content policy has no say in it, and no style sheet is needed.
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

  function place() {
    if (!frame.isConnected) document.body.append(frame)
  }

  /** What lies under the dialog cannot be reached by keyboard or screen reader while it is open. */
  function shutOutRest() {
    madeInert = [...document.body.children].filter(
      element => element !== frame && !element.inert && element.tagName !== 'SCRIPT',
    )
    for (const element of madeInert) element.inert = true
  }

  function letInRest() {
    for (const element of madeInert) element.inert = false
    madeInert = []
  }

  function showFrame() {
    place()
    if (shown) return
    shown = true
    focusedBefore = document.activeElement
    willEnter()
    frame.style.display = 'block'
    shutOutRest()
    frame.focus()
  }

  function hideFrame() {
    if (!shown) return
    shown = false
    willLeave()
    frame.style.display = 'none'
    letInRest()
    if (frame.isConnected) frame.remove()
    if (focusedBefore && focusedBefore.isConnected) focusedBefore.focus()
  }

  /** Loads the frame; it is shown when its page says that it is there. */
  function appendInvoiceFrame(invoiceId) {
    frame.src = `${base}/invoice?id=${encodeURIComponent(invoiceId)}&view=modal`
    place()
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
