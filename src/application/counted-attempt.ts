import type { Interaction, Proof } from '../contract/interactions/interaction.ts'
import type { Dependencies } from './dependencies.ts'
import type { OidcInteraction } from './interactions/oidc-interaction.ts'

export type VerificationDependencies = Pick<
  Dependencies,
  'db' | 'now' | 'seals' | 'settings' | 'tenantSettings' | 'network' | 'floodLimits'
>

/** An attempt that was counted. Its outcome is not revealed before the interaction itself was checked. */
export type CountedAttempt = {
  row: OidcInteraction
  /** The proof, or a refusal thrown. `interaction` is the record it is added to; null before there is one. */
  prove(interaction: Interaction | null): Promise<Proof>
}
