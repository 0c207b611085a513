export const MAX_MAPPED_COLUMNS = 300
/** In characters: of a column's header, of a constant, of a mapping's name. */
export const MAX_MAPPING_TEXT = 200
/** Different names of services in a column that are matched one by one. */
export const MAX_MAPPED_VALUES = 20
