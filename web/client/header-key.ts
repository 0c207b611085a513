/** 'TO ADDRESS 1', 'To_Address-1' and 'toaddress1' have the same key. */
export const headerKey = (header: string): string => header.toLowerCase().replace(/[^a-z0-9]+/g, '')
