/** What a label may cost above its price, per service and for the installation. */
import * as z from 'zod'
import { defineEndpoint, DollarsInput, DollarsOutput, Id, MessageResponse } from './endpoint.ts'

/** `maxLoss`: in dollars; null: the limit of the installation counts. */
const ServiceLossLimit = z.object({ _id: Id, uid: z.string(), maxLoss: DollarsOutput.nullable() })
export type ServiceLossLimit = z.output<typeof ServiceLossLimit>

const LossLimits = z.object({
  // In dollars; null without a limit.
  installation: DollarsOutput.nullable(),
  services: z.array(ServiceLossLimit),
})
export type LossLimits = z.output<typeof LossLimits>

export const lossLimits = defineEndpoint({
  name: 'lossLimits',
  method: 'GET',
  path: '/api/defaultServices/losses',
  access: 'admin',
  summary: 'Limits of loss per label: of the installation and of each default service',
  response: LossLimits,
})

export const setLossLimit = defineEndpoint({
  name: 'setLossLimit',
  method: 'PUT',
  path: '/api/defaultServices/:id/losses',
  access: 'admin',
  proof: true,
  refusals: [404, 409],
  summary:
    'Set by how much a label of a default service may cost more than its price, for all users; null: as the installation',
  params: z.object({ id: Id }),
  // `seenMaxLoss`: the limit when the editor was opened; 409 if it has changed since.
  body: z.object({ maxLoss: DollarsInput.nullable(), seenMaxLoss: DollarsInput.nullish() }),
  response: MessageResponse.extend({ service: ServiceLossLimit }),
})
