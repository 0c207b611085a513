/**
 * Why a code cannot be applied, or null. A code applies once, is not one's own, and invitations
 * form no circle.
 */
export function referralError(
  user: { id: number; referredBy: number | null },
  inviterId: number,
  isAboveInviter: boolean,
): string | null {
  if (user.id === inviterId) return 'You cannot use your own referral code'
  if (user.referredBy !== null) return 'You have already applied a referral code'
  if (isAboveInviter) return 'This code belongs to someone who joined through you'
  return null
}
