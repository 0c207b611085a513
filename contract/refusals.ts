/**
 * Every refusal's `code`: programs act on it, so a code is never renamed and keeps its meaning.
 * docs/programs.md lists them.
 */
import { codesOf, FIELD_FAULTS } from './faults.ts'

export const REFUSALS = {
  ...FIELD_FAULTS,
  ...codesOf(400, {
    request_invalid: [
      'A part of the path, query or body does not have the described form.',
      'Correct the fields named in `errors`; `codes` tells what is wrong with each.',
    ],
    query_field_unknown: ['The query has a field that this call does not know.', 'Leave it out.'],
    body_malformed: ['The body is not valid JSON.', 'Send JSON in UTF-8.'],
    body_not_json: ['The body has another content type.', 'Send Content-Type: application/json.'],
    body_incomplete: ['The body ended early or came too slowly.', 'Send the request again.'],
    request_unreadable: ['The request is not valid HTTP.', 'Use an HTTP client library.'],
    path_malformed: ['The path cannot be decoded.', 'Encode its parts.'],
    character_not_allowed: ['A text has the zero character.', 'Leave it out.'],
    list_too_long: ['A list has too many entries.', 'Send it in several requests.'],
    entry_too_large: ['An entry of a list is too large.', 'Shorten the field that is named.'],
  }),
  ...codesOf(401, {
    sign_in_required: [
      'The token or key is missing, ended or not valid.',
      'Sign in again, or send a valid key.',
    ],
    key_not_valid: [
      'The key is mistyped, expired, deleted or of another mode, or its user is blocked.',
      'Send a valid key; the text tells what is wrong.',
    ],
    credentials_wrong: ['Email or password is wrong.', 'Send the right ones.'],
    factor_wrong: ['The code or passkey is wrong or was used.', 'Send a new one.'],
    sign_in_expired: ['The sign-in took too long.', 'Begin it again.'],
    passkey_unknown: ['The passkey is not registered here.', 'Sign in another way.'],
    signature_invalid: ['The signature is missing or wrong.', 'Sign with the shared secret.'],
  }),
  ...codesOf(402, {
    insufficient_balance: ['The balance does not cover the price.', 'Add funds, then send again.'],
    daily_limit_reached: [
      'The purchase would exceed the daily limit of the key.',
      'Wait until tomorrow, or raise the limit of the key.',
    ],
  }),
  ...codesOf(403, {
    admin_only: ['Administrators only.', 'Ask an administrator.'],
    not_yours: ['The user id in the path or body is of another user.', 'Send your own id.'],
    not_while_impersonating: [
      'An administrator is signed in as this user.',
      'The user does it, or the administrator returns to their own account.',
    ],
    not_for_administrators: [
      'The user is an administrator.',
      'An administrator does this for their own account.',
    ],
    not_your_own: ['Administrators may not decide this for themselves.', 'Ask another one.'],
    administrator_limit_reached: [
      'More than one administrator may move in 24 hours.',
      'Ask another one.',
    ],
    administrator_too_new: ['An administrator of less than 24 hours.', 'Ask another one.'],
    account_blocked: ['The account is blocked.', 'Write to support.'],
    email_unverified: ['The email address is not verified.', 'Open the link in the mail.'],
    second_factor_required: [
      'The installation requires two-step sign-in for this account.',
      'Set it up on the Account page.',
    ],
    proof_required: [
      'The call needs a proof of the last 30 minutes of who calls.',
      'POST /api/auth/proof by one of `methods`, then repeat the call.',
    ],
    not_for_keys: ['Keys may not make this call.', 'Sign in as a user.'],
    scope_missing: ['The key lacks the scope of this call.', 'Use a key that has it.'],
  }),
  ...codesOf(404, {
    path_unknown: ['There is no such call.', 'Check the path against /api/openapi.json.'],
    user_unknown: ['There is no such user.', 'Check the id.'],
    order_unknown: ['There is no such order, or it belongs to another user.', 'Check the id.'],
    batch_unknown: [
      'There is no such bulk order, it belongs to another user, or its id has ended unused.',
      'Check the id, or reserve a new one.',
    ],
    address_unknown: ['There is no such saved address.', 'List the addresses.'],
    sku_unknown: ['There is no such SKU.', 'List the SKUs.'],
    mapping_unknown: ['No columns are saved for this header row.', 'List the saved ones.'],
    file_unknown: ['There is no such file.', 'Check the path.'],
    scan_form_unknown: [
      'There is no such SCAN form, or it belongs to another user.',
      'Check the id.',
    ],
    file_not_ready: ['The files are not made yet.', 'Ask again when the bulk order is done.'],
    file_gone: ['The carrier does not have the file anymore.', 'Buy a new label.'],
    label_voided: ['The label was voided.', 'Buy a new label.'],
    key_unknown: ['There is no such key.', 'List the keys on the Account page.'],
    nothing_to_download: ['Nothing chosen can be in the file.', 'Choose other rows.'],
    invoice_unknown: ['There is no such invoice.', 'Check the id.'],
    provider_unknown: ['There is no such payment service.', 'Check the path.'],
    device_unknown: ['The device is signed out already.', 'List the devices.'],
    factor_unknown: ['There is no such second factor.', 'List the factors.'],
    change_unknown: ['There is no such balance change.', 'List the open ones.'],
    price_change_unknown: ['There is no such change or version of prices.', 'List them.'],
    carrier_account_unknown: [
      'There is no carrier account of this name.',
      'List the carrier accounts.',
    ],
    catalogue_service_unknown: ['There is no service of this id.', 'List the services.'],
    adjustment_unknown: [
      'There is no such correction, or it belongs to another user.',
      'List the corrections.',
    ],
    webhook_unknown: ['There is no such webhook.', 'List the webhooks.'],
    delivery_unknown: ['There is no such delivery.', 'List the deliveries of the webhook.'],
    page_unknown: ['This site has no such page.', 'Read the public settings.'],
    shipment_unknown: ['There is no such shipment.', 'Check the id or reference.'],
    parcel_unknown: ['There is no such parcel, or it was not used for 90 days.', 'Make a new one.'],
    parcel_page_unknown: ['There is no parcel behind this link.', 'Copy the whole link.'],
    mail_link_unknown: ['No mail with this link was sent.', 'Open the link from the mail.'],
    tracker_unknown: ['There is no such tracker.', 'Only labels bought here are followed.'],
    event_unknown: ['There is no such event, or it is older than 30 days.', 'List the events.'],
    refund_unknown: ['There is no such refund.', 'Check the id.'],
    support_not_offered: ['This site takes no messages.', 'Use another way.'],
  }),
  ...codesOf(405, {
    method_not_allowed: ['The path exists, with other methods.', 'Use one named in `Allow`.'],
  }),
  ...codesOf(408, {
    request_too_slow: ['The request did not come in time.', 'Send it again.'],
  }),
  ...codesOf(409, {
    already_bought: [
      'Rows of the file have labels already, named in `rows`.',
      'Leave them out, or send `allowRepeats: true`.',
    ],
    idempotency_key_reused: [
      'The Idempotency-Key was used for another request.',
      'Send a new key for a new order.',
    ],
    name_taken: ['Another one has this name.', 'Choose another name.'],
    email_taken: ['The email address belongs to an account.', 'Sign in, or use another address.'],
    referral_code_taken: ['Another user has this referral code.', 'Choose another one.'],
    address_id_taken: ['Another saved address has this id.', 'Choose another id.'],
    sku_taken: ['Another record has this SKU.', 'Change that one, or choose another SKU.'],
    passkey_taken: ['The passkey is registered already.', 'Use another one.'],
    limit_reached: ['The most of these that an account may have exist.', 'Remove one first.'],
    price_change_ended: ['The prices are no longer scheduled.', 'List the changes of prices.'],
    changed_meanwhile: [
      'What the request is about was changed in the meantime; nothing was done.',
      'Read it again, then decide.',
    ],
    expired: ['The step took too long.', 'Begin it again.'],
    already_done: ['It is done already, or the state does not allow it any more.', 'Read it.'],
    wrong_state: ['The state does not allow this.', 'Read the state; the text names it.'],
    batch_processing: ['The bulk order is being processed.', 'Wait until it has finished.'],
    batch_submitted: ['The bulk order was submitted, with other rows.', 'Reserve a new id.'],
    label_not_voidable: ['The label cannot be voided; the text tells why.', 'Keep it.'],
    label_voiding: ['The label is being voided.', 'Wait for the outcome.'],
    labels_not_valid: ['Some of the chosen labels are not valid.', 'Clear those named.'],
    label_on_scan_form: ['A label is on a SCAN form already.', 'Leave out those named.'],
    nothing_to_do: ['There is nothing that the call could do.', 'Read the state.'],
    label_unknown: [
      'The outcome at the carrier is not known yet.',
      'Wait: the order tells it; do not buy it again.',
    ],
    carrier_asked: ['The carrier is still being asked.', 'Wait as long as the text says.'],
    user_blocked: ['The user is blocked.', 'Unblock the user first.'],
    user_busy: ['Orders or deposits of the user are under way.', 'Try again when they are done.'],
    last_administrator: ['The only administrator.', 'Make another user one first.'],
    own_account: ['It is your own account.', 'Another administrator can.'],
    balance_changed: ['The balance is another one now; nothing was changed.', 'Read it again.'],
    balance_left: ['The user has a balance.', 'Set it to $0, or delete the user.'],
    balance_empty: ['The balance is empty; the rest stays owed.', 'Reverse it later.'],
    invitation_open: ['The user has no password yet.', 'Send the invitation again.'],
    invoice_gone: ['The payment service no longer has the invoice.', 'Adjust the balance.'],
    last_factor: [
      'The installation requires a second factor, and this is the only one.',
      'Add another one first.',
    ],
    factor_missing: ['The account has no second factor.', 'Set up two-step sign-in first.'],
    passkeys_not_possible: [
      'The address of the site does not allow passkeys.',
      'Use a code instead; the text tells the operator why.',
    ],
  }),
  ...codesOf(413, {
    body_too_large: ['The body is too large.', 'Send it in several requests.'],
  }),
  ...codesOf(415, {
    body_encoded: ['The body is compressed.', 'Send it without Content-Encoding.'],
  }),
  ...codesOf(431, {
    headers_too_large: ['The headers are too large.', 'Send fewer and shorter ones.'],
  }),
  ...codesOf(422, {
    rows_invalid: ['Rows are wrong; no label was bought.', 'Correct the fields in `codes`.'],
    too_many_rows: ['The list has too many rows.', 'Send them in several requests.'],
    no_rows: ['The list has no rows.', 'Send at least one.'],
    book_full: ['The most addresses or SKUs are saved.', 'Delete some first.'],
    label_refused: [
      'The carrier refused the label; nothing was charged.',
      'Correct what the text says, then send again.',
    ],
    price_changed: [
      'The price is another one now, or above `maxCost`; nothing was bought.',
      'Ask for the price again, then buy.',
    ],
    rate_unknown: ['The shipment has no such rate.', 'Send the id of one of its `rates`.'],
    file_invalid: [
      'A row of the file is wrong; nothing was changed.',
      'Preview the file: it names every faulty row.',
    ],
    batch_member_refused: ['A shipment cannot join or leave the batch.', 'See the text.'],
    batch_label_unavailable: ['The batch has no labels to print yet.', 'Wait until it is bought.'],
    postage_exists: ['The shipment was bought before.', 'Read it: it has the label.'],
    address_not_verified: ['ZIP, state and city do not belong together.', 'Correct the address.'],
    scan_form_refused: ['The carrier refused the SCAN form.', 'The text tells why.'],
    void_refused: ['The carrier refused the void.', 'The label stays valid; see the text.'],
    carrier_account_missing: [
      'The carrier account that bought the label is not connected.',
      'The operator connects it.',
    ],
    address_not_allowed: [
      'The address is private, loopback or link-local.',
      'Send a public https address.',
    ],
  }),
  ...codesOf(429, {
    rate_limited: ['Too many requests or attempts.', 'Wait for the seconds in `Retry-After`.'],
    too_many_at_once: [
      'Too many requests of this user are under way.',
      'Wait until some are answered; read answers to their end.',
    ],
  }),
  ...codesOf(500, {
    internal_error: ['A fault on our side.', 'Send `requestId` to support.'],
  }),
  ...codesOf(503, {
    busy: ['The server has no capacity just now.', 'Repeat after `Retry-After`.'],
    database_unavailable: ['The database cannot be reached.', 'Repeat after `Retry-After`.'],
    storage_unavailable: ['Files cannot be read or saved just now.', 'Repeat after `Retry-After`.'],
    carrier_unavailable: ['The carrier did not answer.', 'Repeat after `Retry-After`.'],
    payments_unavailable: [
      'The payment service did not answer.',
      'Repeat after `Retry-After` with the same Idempotency-Key.',
    ],
    factor_unavailable: [
      'Codes of authenticator apps cannot be checked here now.',
      'Use a passkey or a recovery code.',
    ],
    file_being_made: ['The file is being made.', 'Repeat after `Retry-After`.'],
  }),
  ...codesOf(504, {
    postage_timed_out: [
      'The carrier has not answered yet whether the label is bought.',
      'Read the shipment later: it tells. Do not make another one.',
    ],
  }),
}

export type RefusalCode = keyof typeof REFUSALS

/** What is wrong with a field. `text` is shown to the user. */
export type Fault = { code: RefusalCode; text: string }

export const isRefusalCode = (code: unknown): code is RefusalCode =>
  typeof code === 'string' && Object.hasOwn(REFUSALS, code)
