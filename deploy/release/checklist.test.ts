import { expect, test } from 'vitest'
import { checklist, type Facts } from './checklist.ts'

const ready: Facts = {
  version: '0.2.0',
  versions: { shared: '0.2.0', extension: '0.2.0' },
  changelog: '# Changelog\n\n## 0.2.0 - 2026-12-01\n\n## 0.1.0 - 2026-11-26\n',
  branch: 'main',
  changes: '',
  tags: ['v0.1.0'],
  storedData: ['0.1.0', '0.2.0'],
}

const problems = (changed: Partial<Facts>) =>
  checklist({ ...ready, ...changed }).flatMap(({ problem }) => problem ?? [])

test('a release that is ready has no problems', () => {
  expect(problems({})).toEqual([])
})

test.each<[Partial<Facts>, string]>([
  [{ branch: 'work' }, 'it is work'],
  [{ changes: ' M README.md' }, ' M README.md'],
  [{ versions: { shared: '0.1.0', extension: '0.2.0' } }, 'shared has 0.1.0'],
  [{ changelog: '## 0.2.0 - unreleased' }, 'CHANGELOG.md has no heading "## 0.2.0 - YYYY-MM-DD"'],
  [{ changelog: '## 10.2.0 - 2026-12-01' }, 'CHANGELOG.md has no heading "## 0.2.0 - YYYY-MM-DD"'],
  [{ tags: ['v0.2.0'] }, 'the tag v0.2.0 exists'],
  [{ storedData: ['0.1.0'] }, 'there is data of 0.1.0 only'],
])('a condition that does not hold is named: %o', (changed, problem) => {
  expect(problems(changed)).toEqual([problem])
})

test('a pre-release version is refused', () => {
  const version = '0.2.0-rc.1'
  const facts = { version, versions: {}, changelog: `## ${version} - 2026-12-01`, storedData: [version] }
  expect(problems(facts)).toEqual(['0.2.0-rc.1 is not of the form 1.2.3'])
})
