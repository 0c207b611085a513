/** Like all mails, without typed text: not even the URL. */
import { PRODUCT } from '#contract/product.ts'
import { composeMail } from '#server/accounts/mails.ts'
import type { Mail } from '#server/platform/mail/mailer.ts'

const REASONS = {
  gone: 'It responded with status 410, which asks for no more messages.',
  dead: 'No message could be delivered to it for more than three days.',
}

/** `link`: the page of the webhooks. */
export const switchedOffMail = (
  to: string,
  { reason, createdAt, link }: { reason: keyof typeof REASONS; createdAt: Date; link: string },
): Mail =>
  composeMail(to, `A webhook of your ${PRODUCT} account was switched off`, {
    before: [
      `The webhook created on ${createdAt.toISOString().slice(0, 10)} was switched off. ${REASONS[reason]}`,
      'It receives no messages until you switch it on again. You can send messages of the last 30 days again from its deliveries.',
    ],
    link,
    action: 'Open webhooks',
  })
