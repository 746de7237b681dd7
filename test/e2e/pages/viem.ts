/** A site built on viem. It adds no network. */
import { viemActions } from '../../libraries/viem.ts'
import { offer } from './page.ts'

offer(viemActions(''))
