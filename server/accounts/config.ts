import { z } from 'zod'
import { email } from '#server/platform/variables.ts'
import type { ValuesOf } from '#server/platform/variables.ts'

export const ACCOUNT_VARIABLES = {
  ADMIN_EMAIL: email.default('admin@evenpost.local'),
  ADMIN_PASSWORD: z.string().min(8, 'must have at least 8 characters').optional(),
}

export const accountConfig = (v: ValuesOf<typeof ACCOUNT_VARIABLES>) => ({
  adminEmail: v.ADMIN_EMAIL,
  adminPassword: v.ADMIN_PASSWORD,
})
