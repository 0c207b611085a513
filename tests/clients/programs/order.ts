/** The parcel that both programs send. */
export const order = {
  sender: {
    sender_name: 'Mason Trading',
    sender_address1: '100 Congress Ave',
    sender_city: 'Austin',
    sender_state_province: 'TX',
    sender_zip_postal: '78701',
  },
  receiver: {
    receiver_name: 'June Rivera',
    receiver_address1: '2210 E Olive Ave',
    receiver_city: 'Fresno',
    receiver_state_province: 'CA',
    receiver_zip_postal: '93701',
  },
  package: { package_length: 9, package_width: 6, package_height: 3, package_weight: 1.5 },
}

export const printed = (outcome: {
  mode: string
  price: number
  file: string
  orders: boolean[]
  refused: { status: number; code: string | undefined }
  voided: string | null
}): string => JSON.stringify(outcome)
