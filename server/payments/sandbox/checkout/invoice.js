/* The sandbox's payment page. Talks to the sandbox's calls with the sign-in of the page around it, which is of the same origin. */

const TOKEN_KEY = 'evenpost.token'
const id = new URLSearchParams(location.search).get('id') ?? ''
const framed = window.parent !== window
const at = name => document.getElementById(name)
const [form, amount, error, pay, expire, state, remaining] = [
  'form',
  'amount',
  'error',
  'pay',
  'expire',
  'state',
  'remaining',
].map(at)
const most = Number(amount.dataset.most)
const usd = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
let invoice = null
let busy = false

/** To the page around us and to nobody else. */
function tell(message) {
  if (framed) window.parent.postMessage(message, location.origin)
}

function close() {
  if (framed) tell('close')
  else location.href = '/main/deposit'
}

/** Answers the body of a success; throws an Error with the server's sentence. */
async function ask(path, body) {
  let token = null
  try {
    token = localStorage.getItem(TOKEN_KEY)
  } catch {
    // Storage is closed to us; the server will say that a sign-in is missing.
  }
  const response = await fetch(path, {
    method: 'POST',
    headers: { ...(token && { token }), ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  }).catch(() => null)
  if (!response) throw new Error('The server cannot be reached. Please try again.')
  const answer = await response.json().catch(() => ({}))
  if (!response.ok) throw new Error(answer.message ?? 'Something went wrong. Please try again.')
  return answer
}

const WORDS = {
  New: () => '',
  Processing: () => 'The payment is seen and waits for confirmation.',
  Settled: () => `Paid: ${usd.format(invoice.amount)} is in your balance.`,
  Expired: () =>
    invoice.amount > 0
      ? `${usd.format(invoice.amount)} came after expiry and waits for review.`
      : 'This invoice has expired. A payment now would be late and wait for review.',
  Invalid: () => 'This invoice is not valid.',
}

/** Shows the invoice as the server has it, and tells the page around us when its status is another one. */
function show(next) {
  const changed =
    invoice !== null && (invoice.status !== next.status || invoice.amount !== next.amount)
  invoice = next
  const late = invoice.status === 'Expired' && invoice.amount === 0
  form.hidden = invoice.status !== 'New' && !late
  expire.hidden = late
  state.textContent = WORDS[invoice.status]()
  state.dataset.status = invoice.status
  label()
  tick()
  if (changed) tell({ invoiceId: id, status: invoice.status })
}

/** The button says what it does. */
function label() {
  const value = readAmount()
  const verb = invoice?.status === 'Expired' ? 'Pay late' : 'Pay'
  pay.textContent = value === null ? verb : `${verb} ${usd.format(value)}`
  for (const button of form.querySelectorAll('[data-amount]')) {
    button.setAttribute('aria-pressed', String(Number(button.dataset.amount) === value))
  }
}

function readAmount() {
  const text = amount.value.trim().replace(/^\$/, '').replaceAll(',', '')
  if (!/^\d+(\.\d{0,2})?$|^\.\d{1,2}$/.test(text)) return null
  const value = Number(text)
  return value > 0 && value <= most ? value : null
}

function complain(text) {
  error.textContent = text
  amount.setAttribute('aria-invalid', String(text !== ''))
}

/** One command at a time; a refusal is shown and the invoice read again, because somebody else may have paid it. */
async function act(command, body) {
  if (busy) return
  busy = true
  complain('')
  form.setAttribute('aria-busy', 'true')
  try {
    const answer = await ask(`/api/sandbox/invoices/${encodeURIComponent(id)}/${command}`, body)
    show(answer.invoice)
    at('title').focus()
  } catch (reason) {
    complain(reason.message)
    await read().catch(() => {})
  } finally {
    busy = false
    form.removeAttribute('aria-busy')
  }
}

async function read() {
  show(await ask(`/api/payment/invoices/${encodeURIComponent(id)}/check`))
}

function tick() {
  if (invoice?.status !== 'New') {
    remaining.textContent = ''
    return
  }
  const seconds = Math.max(0, Math.round(invoice.expirationTime - Date.now() / 1000))
  remaining.textContent = `Expires in ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  if (seconds === 0 && !busy) {
    busy = true
    // A moment later, so that the server's clock has surely come as far.
    setTimeout(
      () =>
        read()
          .catch(() => {})
          .finally(() => {
            busy = false
          }),
      1500,
    )
  }
}

/** Puts the focus where the work begins. */
function settle() {
  if (document.activeElement !== document.body) return
  if (form.hidden) at('title').focus()
  else amount.select()
}

form.addEventListener('submit', event => {
  event.preventDefault()
  const value = readAmount()
  if (value === null) {
    complain(`Enter an amount above 0 and up to ${usd.format(most)}, with at most two decimals.`)
    amount.focus()
    return
  }
  complain('')
  void act(invoice.status === 'Expired' ? 'pay-late' : 'pay', { amount: value })
})
form.addEventListener('click', event => {
  const chosen = event.target.closest('[data-amount]')
  if (!chosen) return
  amount.value = chosen.dataset.amount
  complain('')
  label()
})
amount.addEventListener('input', () => {
  complain('')
  label()
})
expire.addEventListener('click', () => void act('expire'))
at('close').addEventListener('click', close)
document.addEventListener('keydown', event => {
  if (event.key === 'Escape') close()
})

// The frame gets the focus when it is shown, which is after 'loaded'.
window.addEventListener('focus', settle)

at('invoice').textContent = id
setInterval(tick, 1000)
try {
  await read()
} catch (reason) {
  state.textContent = reason.message
  state.dataset.status = 'Invalid'
}
tell('loaded')
if (!framed) settle()
