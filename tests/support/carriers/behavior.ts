/**
 * How the carrier behaves until the next change:
 * - fine: as published; a void is confirmed at once, a label file is ready at once
 * - resets-before, resets-after: the connection breaks, before or after the sale
 * - error-after: sold, then a 500; page-after: sold, then a 502 with an HTML page
 * - cut-after: sold, truncated JSON; nonsense-after: sold, and a 200 of another shape
 * - late: sold, and the response comes after the timeout
 * - refuses: the address is refused, with a reason that repeats the caller's secrets
 * - busy: 429 with Retry-After to purchases; nothing is sold
 * - no-funds, wrong-key: the operator's account has a problem; the response repeats the caller's
 * secrets
 * - away: nothing listens at its address
 * - void-submitted: sells, and voids stay pending until the next fine behavior; void-refused:
 * sells, and refuses voids; void-lost: sells and voids, but the void's response is lost; void-busy:
 * sells, 429 to voids
 * - form-late: a SCAN form is made by the next fine behavior; form-refused: refuses it; form-lost:
 * makes it, but its response is lost
 * - label-late: sells, and the label file is not ready; label-strange: an HTML page instead of the
 * file
 */
export type CarrierBehavior =
  | 'fine'
  | 'resets-before'
  | 'resets-after'
  | 'error-after'
  | 'page-after'
  | 'cut-after'
  | 'nonsense-after'
  | 'late'
  | 'refuses'
  | 'busy'
  | 'no-funds'
  | 'wrong-key'
  | 'away'
  | 'void-submitted'
  | 'void-refused'
  | 'void-lost'
  | 'void-busy'
  | 'form-late'
  | 'form-refused'
  | 'form-lost'
  | 'label-late'
  | 'label-strange'
