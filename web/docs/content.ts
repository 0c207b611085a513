/** Guides of the page of the API. Text in backticks is code. */

/**
 * The name of a numbered step, a paragraph, a list, code (`label`: what it is, when not for a shell), or the example answer of a call by
 * its name.
 */
export type Block =
  | { step: string }
  | { p: string }
  | { list: readonly string[] }
  | { code: string; label?: string; runs?: true }
  | { answerOf: string }
export type Guide = { id: string; title: string; blocks: readonly Block[] }

export const ADDRESS = '{{url}}'
const KEY_HEADER = '-H "Authorization: Bearer $EVENPOST_KEY"'

/** One field a line: it fits on a phone. */
const ORDER_BODY = `{
    "user_id": "'"$EVENPOST_USER"'",
    "service_name": "usps:GROUND_ADVANTAGE",
    "sender": {
      "sender_name": "Mason Trading",
      "sender_address1": "100 Congress Ave",
      "sender_city": "Austin",
      "sender_state_province": "TX",
      "sender_zip_postal": "78701"
    },
    "receiver": {
      "receiver_name": "June Rivera",
      "receiver_address1": "2210 E Olive Ave",
      "receiver_city": "Fresno",
      "receiver_state_province": "CA",
      "receiver_zip_postal": "93701"
    },
    "package": {
      "package_length": 9,
      "package_width": 6,
      "package_height": 3,
      "package_weight": 1.5
    }
  }`

export const guides: readonly Guide[] = [
  {
    id: 'start',
    title: 'A first label in five minutes',
    blocks: [
      { step: 'Make a key' },
      {
        p:
          'Sign in, open Account, and make a key in the section API keys with the scopes `labels:buy`, '
          + '`labels:read` and `labels:void`. The key is shown once. In a sandbox it begins with `evp_test_`:'
          + ' labels are samples, and nothing is charged for real.',
      },
      {
        p: 'Ask who the key belongs to. The answer has `userId`, which most paths need.',
      },
      {
        code: `export EVENPOST_KEY=evp_test_…

curl '${ADDRESS}/api/key' \\
  ${KEY_HEADER}`,
        runs: true,
      },
      { answerOf: 'currentKey' },
      { step: 'Choose a service' },
      { p: 'List the services you can buy. `uid` names a service in orders.' },
      {
        code: `export EVENPOST_USER=17

curl "${ADDRESS}/api/userServices/$EVENPOST_USER/available" \\
  ${KEY_HEADER}`,
        runs: true,
      },
      { answerOf: 'availableServices' },
      { step: 'Buy a label' },
      {
        p:
          'The balance must cover its price; in a sandbox you add funds for free on the page Deposit. The '
          + 'header `Idempotency-Key` makes it safe to send again.',
      },
      {
        p: 'The answer has `orderId`, the tracking number, the price, and `pdfName`, the name of the label file.',
      },
      {
        code: `curl -X POST '${ADDRESS}/api/orders/v2' \\
  ${KEY_HEADER} \\
  -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: first-label' \\
  -d '${ORDER_BODY}'`,
        runs: true,
      },
      { answerOf: 'placeOrder' },
      { step: 'Download the label' },
      { p: 'Set `pdfName` and `orderId` of the answer. The file is saved in the current folder.' },
      {
        code: `export EVENPOST_FILE=…
export EVENPOST_ORDER=…

curl -OJ "${ADDRESS}/api/orders/download/v2/$EVENPOST_FILE" \\
  ${KEY_HEADER}`,
        runs: true,
      },
      { step: 'Void the label' },
      { p: 'Give the label back if you do not use it. The price returns to the balance.' },
      {
        code: `curl -X POST "${ADDRESS}/api/orders/$EVENPOST_ORDER/void" \\
  ${KEY_HEADER}`,
        runs: true,
      },
    ],
  },
  {
    id: 'keys',
    title: 'Keys',
    blocks: [
      {
        p:
          'Send the key as `Authorization: Bearer`, in the header `token`, or as the user name of HTTP '
          + 'Basic with an empty password. A key does what its scopes name, for your own account alone:',
      },
      {
        list: [
          '`labels:buy`: buy labels, single and in bulk',
          '`labels:read`: prices, orders, bulk orders, files, reports of sales',
          '`labels:void`: void labels',
          '`wallet:read`: statement, deposits, balance',
          '`books`: saved addresses and SKUs',
          '`webhooks`: endpoints that receive messages',
        ],
      },
      {
        p:
          'A missing scope is 403 `scope_missing`; a call that no key may make is 403 `not_for_keys`. A key'
          + ' can have a daily limit in dollars: an order beyond it is 402 `daily_limit_reached`. Replacing a'
          + ' key keeps the old one working for up to 168 hours. A deleted key ends at once.',
      },
    ],
  },
  {
    id: 'errors',
    title: 'Errors',
    blocks: [
      {
        p:
          'A refusal has a status of 400 or more and this body. Act on `code`, which never changes; show '
          + '`message`. `errors` and `codes` name wrong fields: `ToZipPostal` of the seventeenth row is '
          + '`17.ToZipPostal`.',
      },
      {
        label: '422 · JSON',
        code: `{
  "message": "To Zip must be a 5-digit ZIP or ZIP+4 (97030-1234)",
  "error": "To Zip must be a 5-digit ZIP or ZIP+4 (97030-1234)",
  "code": "zip_malformed",
  "errors": {
    "receiver_zip_postal": "To Zip must be a 5-digit ZIP or ZIP+4 (97030-1234)"
  },
  "codes": { "receiver_zip_postal": "zip_malformed" }
}`,
      },
      {
        p: 'Statuses below 400: 200 is done; 202 is accepted and goes on: read the order or the bulk order until it has ended.',
      },
    ],
  },
  {
    id: 'idempotency',
    title: 'Sending again',
    blocks: [
      {
        p:
          'When an answer is lost, send the same request again. A single order with the same '
          + '`Idempotency-Key` is bought once within 24 hours; the same key with another order is 409 '
          + '`idempotency_key_reused`. A bulk order is reserved with `initBatch`: `processBatch` with the '
          + 'same id and rows is bought once. Voids, deletions and all reads can be repeated freely.',
      },
    ],
  },
  {
    id: 'limits',
    title: 'Limits',
    blocks: [
      {
        p:
          'A key makes 600 calls a minute unless the operator set another number. Every answer to a key '
          + 'tells how many are left in the headers `RateLimit-Policy` and `RateLimit`. Beyond the limit the '
          + 'answer is 429 `rate_limited` with `Retry-After` in seconds. 503 has it too: wait and send again.',
      },
      {
        label: 'Headers',
        code: 'RateLimit-Policy: "default";q=600;w=60\nRateLimit: "default";r=599;t=42',
      },
    ],
  },
  {
    id: 'paging',
    title: 'Long lists',
    blocks: [
      {
        p:
          'Lists take `limit`, at most 1,000 for a key. An answer with more to come has `next`: send it as '
          + '`after`, until `next` is null. A list read this way is whole, also while entries are added.',
      },
      {
        code: `curl "${ADDRESS}/api/orders/$EVENPOST_USER?limit=100&after=$NEXT" \\
  ${KEY_HEADER}`,
      },
    ],
  },
  {
    id: 'webhooks',
    title: 'Receiving messages',
    blocks: [
      {
        p:
          'An endpoint of yours receives a message when something happens: POST with a JSON body `{type, '
          + 'timestamp, data}`. Make endpoints on the page Account, section Webhooks, or with '
          + '`createWebhook`. Messages follow Standard Webhooks 1.0.0, so its published libraries verify '
          + 'them: headers `webhook-id`, `webhook-timestamp` and `webhook-signature`, and a secret that '
          + 'begins with `whsec_`.',
      },
      {
        label: 'Node',
        code: `import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET)
const message = webhook.verify(body, headers)`,
      },
      {
        p:
          'Answer with 2xx within 15 seconds. Otherwise the message is sent again over three days: after 5 '
          + 's, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h. It arrives at least once: keep the '
          + '`webhook-id` of messages that you have handled. 410 switches the endpoint off. Rows of bulk '
          + 'orders send `label.*` only when the endpoint asks for them with `bulkRows`.',
      },
    ],
  },
  {
    id: 'v2',
    title: 'Programs written for EasyPost',
    blocks: [
      {
        p:
          `A program that uses EasyPost’s official clients works here after it changes its base URL to `
          + `\`${ADDRESS}/v2\` and its key. Addresses, parcels, shipments, batches, refunds, trackers, `
          + `webhooks and events are offered; weights there are in ounces. What is not offered answers 404 `
          + `with a sentence.`,
      },
      {
        label: 'Node',
        code: `import EasyPost from '@easypost/api'

const client = new EasyPost(process.env.EVENPOST_KEY, {
  baseUrl: '${ADDRESS}/v2/',
})`,
      },
      {
        label: 'Python',
        code: `import easypost

client = easypost.EasyPostClient(
    os.environ['EVENPOST_KEY'],
    api_base='${ADDRESS}/v2',
)`,
      },
    ],
  },
  {
    id: 'clients',
    title: 'Generated clients',
    blocks: [
      {
        p:
          'The OpenAPI 3.1 document has named schemas, operation names, descriptions and examples, so that '
          + 'generators make code from it. Two that are tried with every release:',
      },
      {
        code: `npx openapi-typescript '${ADDRESS}/api/openapi.json' -o evenpost.d.ts
npx @hey-api/openapi-ts -i '${ADDRESS}/api/openapi.json' -o evenpost`,
      },
    ],
  },
]
