/** Why a file can’t be read as a workbook, and what to do about it. */
import { countText, numberText, plural } from '#contract/format.ts'
import { shortenText } from '#contract/text.ts'

const named = (file: string): string => `'${shortenText(file, 100)}'`
const SAVE_AGAIN =
  'Open it in a spreadsheet program, save it as .xlsx or .csv, and upload that file.'

export const texts = {
  tooLarge: (file: string, megabytes: number) =>
    `${named(file)} is larger than ${megabytes} MB. Split it into smaller files.`,
  unreadable: (file: string) => `${named(file)} can’t be read. Check that the file still exists.`,
  notLoaded: (file: string) =>
    `${named(file)} can’t be read now: part of this page could not be loaded. Check your connection and reload the page.`,
  failed: (file: string) =>
    `${named(file)} can’t be read here. Try again with a smaller file, or save it as .csv.`,
  hiddenSheets: (count: number) =>
    `${countText(count, 'hidden sheet')} ${plural(count, 'was', 'were')} left out.`,
  hiddenRows: (count: number) =>
    `${countText(count, 'hidden row')} of the sheet ${plural(count, 'is', 'are')} in the table too. Delete those that you don’t ship.`,
  oldWorkbook: (file: string) => `${named(file)} is an old Excel file (.xls). ${SAVE_AGAIN}`,
  protectedWorkbook: (file: string) =>
    `${named(file)} is password-protected. Remove the password, save it as .xlsx or .csv, and upload that file.`,
  webPage: (file: string) =>
    `${named(file)} is a web page saved under the name of a spreadsheet. ${SAVE_AGAIN}`,
  xmlWorkbook: (file: string) =>
    `${named(file)} is an XML spreadsheet from an old version of Excel. ${SAVE_AGAIN}`,
  binaryWorkbook: (file: string) => `${named(file)} is a binary workbook (.xlsb). ${SAVE_AGAIN}`,
  macros: (file: string) =>
    `${named(file)} contains macros, so it was not opened. Save it as .xlsx or .csv and upload that file.`,
  openDocument: (file: string) => `${named(file)} is an OpenDocument spreadsheet. ${SAVE_AGAIN}`,
  numbersDocument: (file: string) =>
    `${named(file)} is a Numbers document. Export it as Excel or CSV and upload that file.`,
  textDocument: (file: string) =>
    `${named(file)} is a text document, not a spreadsheet. Upload the rows as .xlsx or .csv.`,
  archive: (file: string) =>
    `${named(file)} is a ZIP archive. Unpack it and upload the file inside.`,
  packedTooLarge: (file: string, megabytes: number) =>
    `${named(file)} is larger than ${megabytes} MB, too large for a workbook. Save the sheet as .csv or split it.`,
  unpackedTooLarge: (file: string, megabytes: number) =>
    `${named(file)} would take more than ${megabytes} MB unpacked. Save the sheet as .csv or split it.`,
  tooManyParts: (file: string, most: number) =>
    `${named(file)} has more than ${numberText(most)} parts inside, such as images. Copy the rows to a new workbook and upload that file.`,
  tooManyColumns: (file: string, most: number) =>
    `A sheet of ${named(file)} has more than ${numberText(most)} columns. Delete the columns that are not needed and upload it again.`,
  tooManyRows: (file: string, most: number) =>
    `${named(file)} has more than ${numberText(most)} rows, the most that a bulk order takes. Split the file.`,
  broken: (file: string) =>
    `${named(file)} is damaged or incomplete. Download it again, or: ${SAVE_AGAIN}`,
  empty: (file: string) =>
    `${named(file)} has no rows on a visible sheet. Unhide the sheet, or add rows.`,
}
