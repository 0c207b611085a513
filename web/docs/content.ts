/** Guides of the page of the API. Text in backticks is code. */

/**
 * The name of a numbered step, a paragraph, a list, code (`label`: what it is, when not for a shell; `status`: of a response), or the
 * example answer of a call by its name.
 */
export type Block =
  | { step: string }
  | { p: string }
  | { list: readonly string[] }
  | { code: string; label?: string; status?: number; runs?: true }
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
    title: 'Quickstart',
    blocks: [
      { step: 'Create a key' },
      {
        p:
          'Sign in, open Account, API keys, and create a key with the scopes `labels:buy`, `labels:read` and '
          + '`labels:void`. You see the key once. In a sandbox it starts with `evp_test_`: labels are '
          + 'samples and no real money is charged.',
      },
      {
        p: 'Get the account of the key. The response has `userId`, which most paths need.',
      },
      {
        code: `export EVENPOST_KEY=evp_test_…

curl '${ADDRESS}/api/key' \\
  ${KEY_HEADER}`,
        runs: true,
      },
      { answerOf: 'currentKey' },
      { step: 'Choose a service' },
      { p: 'List the services you can buy. Orders name a service by its `uid`.' },
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
          'The balance must cover the price. In a sandbox, add test money on the Deposit page. With an '
          + '`Idempotency-Key` header the request is safe to retry.',
      },
      {
        p: 'The response has `orderId`, the tracking number, the price and `pdfName`, the name of the label file.',
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
      {
        p: 'Set `pdfName` and `orderId` from the response. The file is saved in the current folder.',
      },
      {
        code: `export EVENPOST_FILE=…
export EVENPOST_ORDER=…

curl -OJ "${ADDRESS}/api/orders/download/v2/$EVENPOST_FILE" \\
  ${KEY_HEADER}`,
        runs: true,
      },
      { step: 'Void the label' },
      { p: 'Void a label that you won’t use. Its price returns to your balance.' },
      {
        code: `curl -X POST "${ADDRESS}/api/orders/$EVENPOST_ORDER/void" \\
  ${KEY_HEADER}`,
        runs: true,
      },
    ],
  },
  {
    id: 'keys',
    title: 'Authentication',
    blocks: [
      {
        p:
          'Send the key as `Authorization: Bearer`, in the header `token`, or as the user name of HTTP '
          + 'Basic with an empty password. A key can do what its scopes allow, for your own account only:',
      },
      {
        list: [
          '`labels:buy`: buy labels, single and in bulk',
          '`labels:read`: prices, orders, bulk orders, files, sales reports',
          '`labels:void`: void labels',
          '`wallet:read`: statement, deposits, balance',
          '`books`: saved addresses and SKUs',
          '`webhooks`: endpoints that receive messages',
        ],
      },
      {
        p:
          'Requests without the scope return 403 `scope_missing`, and calls that no key may make return 403 '
          + '`not_for_keys`. A key can have a daily limit in dollars; orders beyond it return 402 '
          + '`daily_limit_reached`. When you replace a key, the old one keeps working for up to 168 hours. '
          + 'When you delete a key, it stops working at once.',
      },
    ],
  },
  {
    id: 'errors',
    title: 'Errors',
    blocks: [
      {
        p: '200 means done. 202 means accepted: get the order or the bulk order until it has ended.',
      },
      {
        p:
          'Errors return 4xx or 5xx with this body. Base your logic on `code`, which never changes, and show '
          + '`message` to people. `errors` and `codes` name the invalid fields: `ToZipPostal` of row 17 is '
          + '`17.ToZipPostal`.',
      },
      {
        label: 'Example response',
        status: 422,
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
    ],
  },
  {
    id: 'idempotency',
    title: 'Idempotency',
    blocks: [
      {
        p:
          'If a response is lost, send the same request again. A single order with the same '
          + '`Idempotency-Key` is bought once within 24 hours; the same key with a different order returns 409 '
          + '`idempotency_key_reused`.',
      },
      {
        p:
          'For a bulk order, reserve an id with `initBatch`: `processBatch` with '
          + 'that id and the same rows buys them once. Voids, deletions and reads are always safe to repeat.',
      },
    ],
  },
  {
    id: 'limits',
    title: 'Rate limits',
    blocks: [
      {
        p:
          'A key can make 600 calls a minute unless the operator set another limit. Every response has the '
          + 'headers `RateLimit-Policy` and `RateLimit`, which say how many calls are left. Beyond the limit, '
          + 'calls return 429 `rate_limited` with `Retry-After` in seconds. A 503 has it too: wait, then retry.',
      },
      {
        label: 'Headers',
        code: 'RateLimit-Policy: "default";q=600;w=60\nRateLimit: "default";r=599;t=42',
      },
    ],
  },
  {
    id: 'paging',
    title: 'Pagination',
    blocks: [
      {
        p:
          'Lists take a `limit` of up to 1,000. A response with more to come has `next`: send it as `after` '
          + 'until `next` is null. No entry is missed or repeated while new ones are added.',
      },
      {
        code: `curl "${ADDRESS}/api/orders/$EVENPOST_USER?limit=100&after=$NEXT" \\
  ${KEY_HEADER}`,
      },
    ],
  },
  {
    id: 'webhooks',
    title: 'Webhook events',
    blocks: [
      {
        p:
          'Your endpoint receives a POST with the JSON body `{type, timestamp, data}` when an event happens. '
          + 'Add endpoints under Account, Webhooks, or with `createWebhook`. Messages follow Standard '
          + 'Webhooks 1.0.0, so its libraries can verify them by the headers `webhook-id`, '
          + '`webhook-timestamp` and `webhook-signature` and a secret that starts with `whsec_`.',
      },
      {
        p:
          'Return 2xx within 15 seconds. Otherwise we retry over three days: after 5 s, 5 min, 30 min, 2 h, '
          + '5 h, 10 h, 14 h, 20 h and 24 h. A message can arrive more than once, so store each `webhook-id` '
          + 'that you have handled. If you return 410, the endpoint is turned off. Bulk order rows send '
          + '`label.*` events only if the endpoint has `bulkRows`.',
      },
      {
        label: 'Node',
        code: `import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET)
const message = webhook.verify(body, headers)`,
      },
    ],
  },
  {
    id: 'v2',
    title: 'EasyPost compatibility',
    blocks: [
      {
        p:
          `Software built on EasyPost’s official clients works here: change its base URL to `
          + `\`${ADDRESS}/v2\` and use one of our keys. It covers addresses, parcels, shipments, batches, `
          + `refunds, trackers, webhooks and events, with weights in ounces. Anything else returns 404 and `
          + `says so.`,
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
    title: 'Client libraries',
    blocks: [
      {
        p:
          'Generate a client from the OpenAPI 3.1 document, which has named schemas, operations and '
          + 'examples. We test two generators with every release.',
      },
      {
        code: `npx openapi-typescript '${ADDRESS}/api/openapi.json' -o evenpost.d.ts
npx @hey-api/openapi-ts -i '${ADDRESS}/api/openapi.json' -o evenpost`,
      },
    ],
  },
]
