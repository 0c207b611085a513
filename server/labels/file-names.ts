/** Names of all stored files: labels, files of batches, and the `.txt` of the storage self-test. */
export const STORED_FILE_NAMES = /^[A-Za-z0-9_-]{1,200}\.(?:pdf|csv|txt|xlsx|png|zpl)$/
