/** Checks the texts for the stores: texts in every language, and the reasons for permissions. */
import { describe, expect, test } from 'vitest'
import { firefoxManifest } from '../../extension/firefox.ts'
import { filesBelow, read } from './sources.ts'

const LOCALES = 'extension/public/_locales'
const languages = [...new Set(filesBelow(LOCALES).map(path => path.split('/').at(-2) ?? ''))]

/** The lower of two limits for the description, in characters: the Chrome Web Store's and addons.mozilla.org's. */
const MAX_DESCRIPTION = 15_000
/** The Chrome Web Store's limit for the summary, in characters. addons.mozilla.org allows 250. */
const MAX_SUMMARY = 132
/** The longest caption that fits on one line of a picture, in characters. */
const MAX_CAPTION = 70

type Store = { name: string; summary: string; description: string[]; captions: Record<string, string> }

const storeOf = (language: string): Store => JSON.parse(read(`extension/store/${language}.json`))
const english = storeOf('en')

test('there are texts for exactly the languages of the wallet', () => {
  expect(filesBelow('extension/store').map(path => path.split('/').at(-1))).toEqual(
    languages.toSorted().map(language => `${language}.json`),
  )
})

describe.each(languages)('%s', language => {
  const { name, summary, description, captions } = storeOf(language)

  test('the name and the summary match the manifest', () => {
    const { extensionName, extensionDescription } = JSON.parse(read(`${LOCALES}/${language}/messages.json`))
    expect([name, summary]).toEqual([extensionName.message, extensionDescription.message])
    expect([...summary].length).toBeLessThanOrEqual(MAX_SUMMARY)
  })

  test('the description has the paragraphs of English and is within the limits', () => {
    expect(description).toHaveLength(english.description.length)
    expect([...description.join('\n\n')].length).toBeLessThanOrEqual(MAX_DESCRIPTION)
  })

  test('each picture has a caption of one line', () => {
    expect(Object.keys(captions)).toEqual(Object.keys(english.captions))
    for (const caption of Object.values(captions)) expect([...caption].length, caption).toBeLessThanOrEqual(MAX_CAPTION)
  })

  test('the texts are plain, because a store shows markup as text', () => {
    for (const text of [summary, ...description, ...Object.values(captions)])
      expect(text).not.toMatch(/[<>*`]|\]\(|[\p{Cc}\p{Cf}]/u)
  })
})

type Manifest = Parameters<typeof firefoxManifest>[0] & {
  host_permissions: string[]
  optional_permissions: string[]
  content_scripts: { js: string[] }[]
}

const chromium: Manifest = JSON.parse(read('manifest.json'))
const firefox = firefoxManifest(chromium) as unknown as Manifest

const namesOf = ({ permissions, optional_permissions, host_permissions, content_scripts }: Manifest) =>
  [...permissions, ...optional_permissions, ...host_permissions, ...content_scripts.flatMap(({ js }) => js)].toSorted()

test('docs/permissions.md explains each permission of both manifests, and no others', () => {
  const rows = [...read('docs/permissions.md').matchAll(/^\| `([^`]+)` \| (both|Chromium) \| (.+) \| (.+) \|$/gm)]
  const inChromium = rows.map(([, name]) => name)
  const inFirefox = rows.filter(([, , browser]) => browser === 'both').map(([, name]) => name)
  expect(inChromium.toSorted()).toEqual(namesOf(chromium))
  expect(inFirefox.toSorted()).toEqual(namesOf(firefox))
})
