/** All screen fixtures, with usual, long, empty and hostile data. Addresses and sites are invented. */

import { activityScreens } from './fixtures/activity.ts'
import { approvalsScreens } from './fixtures/approvals.ts'
import { approvalsItemsScreens } from './fixtures/approvals-items.ts'
import { approvalsTransactionsScreens } from './fixtures/approvals-transactions.ts'
import { backupScreens } from './fixtures/backup.ts'
import { collectibleScreens } from './fixtures/collectibles.ts'
import { descriptorScreens } from './fixtures/descriptors.ts'
import { foundScreens } from './fixtures/found.ts'
import { homeScreens } from './fixtures/home.ts'
import { judgedScreens } from './fixtures/judged.ts'
import { onboardingScreens } from './fixtures/onboarding.ts'
import { overviewScreens } from './fixtures/overview.ts'
import { panelScreens } from './fixtures/panel.ts'
import { priceScreens } from './fixtures/prices.ts'
import { remoteScreens } from './fixtures/remote.ts'
import type { Screen } from './fixtures/screen.ts'
import { sendScreens } from './fixtures/send.ts'
import { settingsScreens } from './fixtures/settings.ts'
import { settingsHoldingsScreens } from './fixtures/settings-holdings.ts'
import { settingsImportScreens } from './fixtures/settings-import.ts'
import { tokenScreens } from './fixtures/tokens.ts'

export const screens: Record<string, Screen> = {
  ...remoteScreens,
  ...homeScreens,
  ...foundScreens,
  ...collectibleScreens,
  ...tokenScreens,
  ...activityScreens,
  ...sendScreens,
  ...onboardingScreens,
  ...settingsScreens,
  ...settingsHoldingsScreens,
  ...settingsImportScreens,
  ...backupScreens,
  ...descriptorScreens,
  ...overviewScreens,
  ...approvalsScreens,
  ...approvalsTransactionsScreens,
  ...approvalsItemsScreens,
  ...judgedScreens,
  ...priceScreens,
  ...panelScreens,
}
