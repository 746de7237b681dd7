/** UI methods for notices outside the wallet's pages. */
import type { Ui, UiParts } from './parts.ts'

export const createNoticesUi = ({
  vault,
  notifies,
}: Pick<UiParts, 'vault' | 'notifies'>): Pick<Ui, 'getNotifying' | 'setNotifying'> => ({
  getNotifying: () => notifies.read(),
  setNotifying: async ({ on }) => {
    await vault.read()
    await notifies.update(() => on)
    return null
  },
})
