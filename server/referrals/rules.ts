/** Why a referral code cannot be applied, or null when it can: once, not one's own, and nobody is invited by those he invited. */
export function referralError(
  user: { id: number; referredBy: number | null },
  inviterId: number,
  isAboveInviter: boolean,
): string | null {
  if (user.id === inviterId) return 'You cannot use your own referral code'
  if (user.referredBy !== null) return 'You have already applied a referral code'
  if (isAboveInviter) return 'This code belongs to somebody who joined through you'
  return null
}
