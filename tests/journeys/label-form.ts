import type { Page } from '@playwright/test'
import { choose, fill } from './page-helpers.ts'

/** Fills in the form of one label: 'USPS Priority Mail', 2.5 lb, from Austin to June Rivera in Fresno. */
export async function fillLabel(page: Page): Promise<void> {
  const parcel = page.getByRole('region', { name: 'Package Information' })
  await choose(page, parcel, 'Service', 'USPS Priority Mail')
  await fill(parcel, {
    'Weight (lb)': '2.5',
    'Length (in)': '9',
    'Width (in)': '6',
    'Height (in)': '3',
  })
  const sender = page.getByRole('region', { name: 'From Address' })
  await fill(sender, {
    Name: 'Dana Cole',
    Street: '100 Congress Ave',
    City: 'Austin',
    Zip: '78701',
  })
  await choose(page, sender, 'State', 'TX · Texas')
  const receiver = page.getByRole('region', { name: 'To Address' })
  await fill(receiver, {
    Name: 'June Rivera',
    Street: '2210 E Olive Ave',
    City: 'Fresno',
    Zip: '93701',
  })
}
