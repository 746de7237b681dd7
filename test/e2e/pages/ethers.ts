/** A site built on ethers. */
import { ethersActions } from '../../libraries/ethers.ts'
import { offer } from './page.ts'

offer(ethersActions())
