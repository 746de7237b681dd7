/** A site built on web3. It adds no network. */
import { web3Actions } from '../../libraries/web3.ts'
import { offer } from './page.ts'

offer(web3Actions(''))
