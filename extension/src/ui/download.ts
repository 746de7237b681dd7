/** Hands a file that was made here to the person. */

/** Saves a text under a name; nothing leaves the device. */
export const download = (fileName: string, content: string, type: string): void => {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The browser has taken the file by the next turn.
  setTimeout(() => URL.revokeObjectURL(url))
}
