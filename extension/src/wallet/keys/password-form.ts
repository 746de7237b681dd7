/** The form of passwords. The build reads this as well, so it imports nothing. */

/** Also in extension/src/ui/password.ts. */
export const MIN_PASSWORD_LENGTH = 8

/** As lists of leaked passwords are compared: Unicode NFKC, without case. */
export const foldPassword = (password: string): string => password.normalize('NFKC').toLowerCase()
