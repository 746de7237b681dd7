/** Saves files that were made in the page. */

/** Saves a text under a file name. Nothing leaves the device. */
export const download = (fileName: string, content: string, type: string): void => {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The browser has read the blob by the next task, so its URL can be revoked then.
  setTimeout(() => URL.revokeObjectURL(url))
}
