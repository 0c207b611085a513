/** Texts of calls, and why an uploaded file can't be read. */
export const texts = {
  proofDeclined: 'Nothing was changed, because you didn’t confirm that it’s you.',
  files: {
    workbook:
      'This is a spreadsheet workbook, not a text file. Open it, choose "Save as" and CSV, and upload that file.',
    picture: 'This is an image, not a text file. Upload the rows as text, such as a .csv file.',
    pdf: 'This is a PDF, not a text file. Upload the rows as text, such as a .csv file.',
    compressed: 'This file is compressed. Unpack it and upload the file inside.',
    empty: 'The file is empty. Choose another file, or export it again.',
    notUnicode: 'This file is not Unicode and was read as Windows-1252. Check names with accents.',
    unreadableLetters:
      'Some letters of this file can’t be read and are shown as \ufffd. Check names with accents.',
    openQuote: (row: number) =>
      `The quotation mark in row ${row} is never closed. Close it so that we can read the rows below it.`,
    singleQuote: (row: number) =>
      `Row ${row} has a quotation mark inside a cell. Write it twice ("") so that we can read the rows below it.`,
    strayQuote: (row: number) => `Row ${row} has a misplaced quotation mark. Check its cells.`,
  },
}
