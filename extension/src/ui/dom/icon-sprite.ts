/**
 * Puts the icons of public/icons.svg into the page itself. A reference to the file would load it again for each icon.
 */

/** Adds the icons to the page, where `Icon.svelte` refers to them. Rejects if the file cannot be read. */
export const addIcons = async (page: Document): Promise<void> => {
  const sprite = await (await fetch('/icons.svg')).text()
  const { documentElement } = new DOMParser().parseFromString(sprite, 'image/svg+xml')
  documentElement.setAttribute('class', 'sprite')
  page.body.append(page.importNode(documentElement, true))
}
