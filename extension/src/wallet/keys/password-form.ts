/** Normalization of passwords. Imports nothing, because the build uses it too. */

/** Repeated in extension/src/ui/model/password.ts. */
export const MIN_PASSWORD_LENGTH = 8

/** The form in which common passwords are compared: NFKC, lower case. */
export const foldPassword = (password: string): string => password.normalize('NFKC').toLowerCase()
