/**
 * Codes of a wrong field, with their texts for programs. All are codes of a refusal too
 * (refusals.ts): a refused form has the code of its first wrong field.
 */

/** A wrong field. `text` is a sentence that begins with the field's label. */
export type FieldFault = { code: FieldCode; text: string }

/** What a code means, and what a program or its user does about it. */
type CodeText = readonly [meaning: string, remedy: string]

export type CodeEntry<S extends number = number> = {
  readonly status: S
  readonly meaning: string
  readonly remedy: string
}

/** Codes that are answered with one HTTP status. */
export const codesOf = <const S extends number, const Texts extends Record<string, CodeText>>(
  status: S,
  texts: Texts,
): { readonly [Code in keyof Texts]: CodeEntry<S> } =>
  Object.fromEntries(
    Object.entries(texts).map(([code, [meaning, remedy]]) => [code, { status, meaning, remedy }]),
  ) as { [Code in keyof Texts]: CodeEntry<S> }

export const FIELD_FAULTS = codesOf(422, {
  required: ['The field is missing or empty.', 'Send a value.'],
  malformed: ['The value does not have the form that the text names.', 'Send it in that form.'],
  wrong_type: ['The value has another JSON type.', 'Send the type that the text names.'],
  not_a_choice: ['The value is not one of those allowed.', 'Send one that the text lists.'],
  too_long: ['The text has too many characters.', 'Shorten it to the length that the text names.'],
  too_short: ['The text has too few characters.', 'Send at least as many as the text names.'],
  too_many: ['The list has too many entries.', 'Send fewer, in several requests if need be.'],
  too_few: ['The list has too few entries.', 'Send at least as many as the text names.'],
  above_limit: ['The number is too large.', 'Send at most the number that the text names.'],
  below_limit: ['The number is too small.', 'Send at least the number that the text names.'],
  not_a_number: ['The value is not a plain decimal number.', 'Send digits and at most one point.'],
  not_a_whole_number: ['The value is not a whole number of at least 1.', 'Send digits alone.'],
  character_not_printable: [
    'The text has a control character or half a character, or an address has U+FFFD for an unreadable letter.',
    'Type the text again without it.',
  ],
  fields_exclusive: ['Fields that exclude each other were sent.', 'Send exactly one of them.'],
  mailing_day_out_of_range: [
    'The mailing day is past or too far ahead.',
    'Send a day within the range that the text names.',
  ],
  time_passed: ['The time is not in the future.', 'Send a later time.'],
  link_not_valid: ['The link was used or has ended.', 'Ask for a new one.'],
  password_wrong: ['It is not the current password.', 'Send the current one.'],
  password_too_easy: ['The password is easy to guess.', 'Choose another one.'],
  passwords_differ: ['The two passwords differ.', 'Send the same one twice.'],
  proof_wrong: ['The code, passkey or password does not prove who calls.', 'Send a new one.'],
  email_unchanged: ['It is the address of the account already.', 'Send another one.'],
  referral_code_unknown: ['There is no such referral code.', 'Check its letters.'],
  referral_code_not_allowed: [
    'The user cannot apply this code: their own, a second one, or of one they invited.',
    'Leave it out.',
  ],
  price_ranges_invalid: [
    'Price ranges must cover 1 lb to the largest weight without gap or overlap, in whole cents.',
    'Correct them as the text says.',
  ],
  row_list_invalid: ['The list of rows cannot be read.', 'Send it like 3-7,12.'],
  format_not_available: [
    'The label cannot be had in this format.',
    'Ask for one of the formats that the text names.',
  ],
  tracking_number_malformed: ['The carrier issues no such number.', 'Check its digits.'],
  tracking_number_taken: ['Another label has this tracking number.', 'Check its digits.'],
  masked: [
    'The value is masked with *, as in exports without personal data.',
    'Export the orders again with personal data, or send the value in full.',
  ],
  changed_by_spreadsheet: [
    'A spreadsheet turned the digits into a number such as 9.4E+21; the last ones are lost.',
    'Send the digits from the original source.',
  ],
  zip_malformed: ['The ZIP code is not five digits or ZIP+4.', 'Send it like 97030 or 97030-1234.'],
  state_unknown: ['The state is not a US state.', 'Send its name or two-letter code.'],
  country_not_supported: ['Labels are sold within the United States only.', 'Send US.'],
  phone_malformed: [
    'The phone number is not one that can be dialed.',
    'Send it like 404-555-0192 ext. 9, or leave the field out.',
  ],
  email_malformed: ['The email address has another form.', 'Send it like name@example.com.'],
  service_unknown: [
    'No enabled service has this name or id.',
    'List them with GET /api/userServices/{userId}/available and send one.',
  ],
  service_not_available: [
    'The service is switched off, or has no price now.',
    'Choose another service.',
  ],
  option_not_offered: ['The request asks for what this site does not sell.', 'Leave it out.'],
  service_without_price: [
    'The service has no price for this weight.',
    'Choose another service or weight; the text names the weights that have a price.',
  ],
  zone_without_price: [
    'The service has no price for the distance between the two ZIP codes.',
    'Choose another service.',
  ],
  carrier_price_pending: [
    'The price of the service is the carrier’s, which is being asked.',
    'Ask for the price again in a few seconds, then buy.',
  ],
  carrier_price_missing: [
    'The price of the service is the carrier’s, which told none for this parcel.',
    'Try again later, or choose another service; the text tells why.',
  ],
  measure_not_positive: [
    'The weight or side is not a positive plain decimal number.',
    'Send pounds and inches as decimals, such as 2.5.',
  ],
  weight_above_limit: [
    'The package is heavier than the service takes.',
    'Send at most the weight that the text names, or choose another service.',
  ],
  weight_too_low: ['The weight is below the smallest that carriers take.', 'Send 0.01 lb or more.'],
  size_too_large: [
    'A side, length plus girth, or dimensional weight is larger than the service takes.',
    'Use a smaller package or another service.',
  ],
})

export type FieldCode = keyof typeof FIELD_FAULTS
