/* The sandbox's payment page. Uses the session of the embedding page, which has the same origin. */

const TOKEN_KEY = 'evenpost.token'
const query = new URLSearchParams(location.search)
const id = query.get('id') ?? ''
/** The user's lowest price of a label, if the embedding page knows it. */
const labelCents = Math.round(Number(query.get('labelPrice')) * 100)
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

/** Posts to the embedding page only. */
function notifyParent(message) {
  if (framed) window.parent.postMessage(message, location.origin)
}

function close() {
  if (framed) notifyParent('close')
  else location.href = '/main/deposit'
}

/** Returns the body of a success; throws an Error with the server's message. */
async function post(path, body) {
  let token = null
  try {
    token = localStorage.getItem(TOKEN_KEY)
  } catch {
    // Storage is blocked; the server will answer that a session is missing.
  }
  const response = await fetch(path, {
    method: 'POST',
    headers: { ...(token && { token }), ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  }).catch(() => null)
  if (!response) throw new Error('The server cannot be reached. Try again.')
  const answer = await response.json().catch(() => ({}))
  if (!response.ok) throw new Error(answer.message ?? 'Something went wrong. Try again.')
  return answer
}

const STATUS_TEXTS = {
  New: () =>
    invoice.amount > 0 ? `${usd.format(invoice.amount)} received: too little to be counted.` : '',
  Processing: () => 'Payment received. Waiting for confirmation.',
  Settled: () => `Paid: ${usd.format(invoice.amount)} is in your balance.`,
  Expired: () =>
    invoice.amount > 0
      ? `${usd.format(invoice.amount)} arrived after expiry and is in review.`
      : 'This invoice has expired. A payment now would go to review.',
  Invalid: () => 'This invoice is not valid.',
}

/** Shows the invoice, and notifies the embedding page when its status changes. */
function show(next) {
  const changed =
    invoice !== null && (invoice.status !== next.status || invoice.amount !== next.amount)
  if (invoice === null && next.requested !== null) showRequested(next.requested)
  invoice = next
  at('name').textContent = `Invoice ${next.number}`
  const late = invoice.status === 'Expired' && invoice.amount === 0
  form.hidden = invoice.status !== 'New' && !late
  at('due').hidden = form.hidden
  expire.hidden = late
  showTests()
  showSteps()
  state.textContent = STATUS_TEXTS[invoice.status]()
  state.dataset.status = invoice.status
  label()
  tick()
  if (changed) notifyParent({ invoiceId: id, status: invoice.status })
}

/** As on the deposit page: waiting for the payment, seen, confirmed. */
function stepsOf({ status, amount: paid }) {
  const waiting = ['Waiting', 'current']
  const ahead = [
    ['Seen', 'ahead'],
    ['Confirmed', 'ahead'],
  ]
  const seen = [
    ['Waiting', 'done'],
    ['Seen', 'done'],
  ]
  if (status === 'New') return [waiting, ...ahead]
  if (status === 'Processing') return [seen[0], ['Seen', 'current'], ahead[1]]
  if (status === 'Settled') return [...seen, ['Confirmed', 'done']]
  return paid > 0
    ? [...seen, ['Not confirmed', 'stopped']]
    : [[status === 'Expired' ? 'Expired' : 'Not valid', 'stopped'], ...ahead]
}

function showSteps() {
  const steps = stepsOf(invoice)
  at('steps').hidden = false
  for (const [index, item] of [...at('steps').children].entries()) {
    const [name, state] = steps[index]
    item.dataset.state = state
    item.toggleAttribute('aria-current', false)
    if (state === 'current') item.setAttribute('aria-current', 'step')
    item.firstElementChild.textContent = name
  }
}

/** The line of the test acts goes with the last of them. */
function showTests() {
  at('tests').hidden = form.hidden || (expire.hidden && at('change').hidden)
}

/** How many labels an amount buys; empty when the price is not known or higher. */
function labelsText(dollars) {
  const count = labelCents > 0 ? Math.floor(Math.round(dollars * 100) / labelCents) : 0
  return count > 0
    ? `= ${count.toLocaleString('en-US')} ${count === 1 ? 'label' : 'labels'} at ${usd.format(labelCents / 100)}`
    : ''
}

/** The amount of the invoice; another one can be paid on request, to try what happens then. */
function showRequested(dollars) {
  amount.value = String(dollars)
  at('asked').textContent = usd.format(dollars)
  at('buys').textContent = labelsText(dollars)
  at('buys').hidden = at('buys').textContent === ''
  at('requested').hidden = false
  at('change').hidden = false
  at('choice').hidden = true
}

function changeAmount() {
  at('change').hidden = true
  at('choice').hidden = false
  showTests()
  amount.select()
}

/** The id is selected where the browser does not let the page copy it. */
async function copyId() {
  try {
    await navigator.clipboard.writeText(id)
    at('copy').textContent = 'Copied!'
    setTimeout(() => {
      at('copy').textContent = 'Copy ID'
    }, 1500)
  } catch {
    getSelection().selectAllChildren(at('invoice'))
  }
}

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

function showError(text) {
  error.textContent = text
  amount.setAttribute('aria-invalid', String(text !== ''))
}

/** One command at a time. After an error the invoice is read again, because it may have been paid elsewhere. */
async function runCommand(command, body) {
  if (busy) return
  busy = true
  showError('')
  form.setAttribute('aria-busy', 'true')
  try {
    const answer = await post(`/api/sandbox/invoices/${encodeURIComponent(id)}/${command}`, body)
    show(answer.invoice)
    at('title').focus()
  } catch (reason) {
    showError(reason.message)
    await read().catch(() => {})
  } finally {
    busy = false
    form.removeAttribute('aria-busy')
  }
}

async function read() {
  show(await post(`/api/payment/invoices/${encodeURIComponent(id)}/check`))
}

function tick() {
  at('left').hidden = invoice?.status !== 'New'
  if (invoice?.status !== 'New') return
  const seconds = Math.max(0, Math.round(invoice.expirationTime - Date.now() / 1000))
  remaining.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  if (seconds === 0 && !busy) {
    busy = true
    // A moment later, so that the server's clock has reached the expiry too.
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

function focusStart() {
  if (document.activeElement !== document.body) return
  if (form.hidden) at('title').focus()
  else if (at('choice').hidden) pay.focus()
  else amount.select()
}

form.addEventListener('submit', event => {
  event.preventDefault()
  const value = readAmount()
  if (value === null) {
    showError(`Enter an amount above 0 and up to ${usd.format(most)}, with at most two decimals.`)
    changeAmount()
    return
  }
  showError('')
  void runCommand(invoice.status === 'Expired' ? 'pay-late' : 'pay', { amount: value })
})
form.addEventListener('click', event => {
  const chosen = event.target.closest('[data-amount]')
  if (!chosen) return
  amount.value = chosen.dataset.amount
  showError('')
  label()
})
amount.addEventListener('input', () => {
  showError('')
  label()
})
at('change').addEventListener('click', changeAmount)
at('copy').addEventListener('click', () => void copyId())
expire.addEventListener('click', () => void runCommand('expire'))
at('close').addEventListener('click', close)
document.addEventListener('keydown', event => {
  if (event.key === 'Escape') close()
})

// The frame gets the focus when it is shown, which is after 'loaded'.
window.addEventListener('focus', focusStart)

at('invoice').textContent = id
setInterval(tick, 1000)
try {
  await read()
} catch (reason) {
  state.textContent = reason.message
  state.dataset.status = 'Invalid'
}
notifyParent('loaded')
if (!framed) focusStart()
