import { expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { sandboxExpire, sandboxPay, topUp } from '#contract/payments.ts'
import { testApp } from '#tests/support/app.ts'

const app = await testApp()

test.each([1, 2, 3])(
  'an invoice paid twenty times and expired at the same moment is paid once or not at all (turn %i)',
  async () => {
    const ana = await app.register()
    const { body: invoice } = await app.call(topUp, { params: { userId: ana.user._id } }, ana.token)
    const params = { id: invoice.id }
    const [pays] = await Promise.all([
      Promise.all(
        Array.from({ length: 20 }, () =>
          app.call(sandboxPay, { params, body: { amount: 25 } }, ana.token),
        ),
      ),
      app.call(sandboxExpire, { params }, ana.token),
    ])
    const paid = pays.filter(answer => answer.status === 200).length
    expect(paid).toBeLessThanOrEqual(1)
    expect(pays.filter(answer => answer.status === 409)).toHaveLength(20 - paid)
    expect((await app.call(verifySession, {}, ana.token)).body.user).toMatchObject({
      balance: 25 * paid,
      totalDeposit: 25 * paid,
    })
  },
)
