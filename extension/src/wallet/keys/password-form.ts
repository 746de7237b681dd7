/** Password normalization. Imports no modules, because the build uses it too. */

/** Minimum characters of a password. Repeated in extension/src/ui/model/password.ts. */
export const MIN_PASSWORD_LENGTH = 8

/** Returns the form in which passwords are compared with common ones: NFKC, lower case. */
export const foldPassword = (password: string): string => password.normalize('NFKC').toLowerCase()
