// The names that settings hold: of profiles, and of warehouses.

/** Whether text can name a profile or a warehouse of the user's own. */
export const profileName = (text: string): boolean => /^[A-Za-z0-9_-]{1,50}$/.test(text) && text !== '__proto__'

/** Whether text may be the id of a warehouse. */
export const isWarehouseId = (text: string): boolean => /^[\x21-\x7e]{1,200}$/.test(text)
