/** A site built on wagmi. It adds no network. */
import { wagmiActions } from '../../libraries/wagmi.ts'
import { offer } from './page.ts'

offer(wagmiActions('', localStorage))
