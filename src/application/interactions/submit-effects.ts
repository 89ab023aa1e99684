import type { SubmitOutcome } from '../../domain/interactions/submit.ts'
import { passwordReset } from '../passwords/password-reset.ts'
import { registrationEffects } from './registration.ts'
import { signInEffects } from './sign-in-effects.ts'
import type { EffectContext, EffectDependencies, SubmitEffects } from './submit-effect.ts'

export async function effectsOf(
  dependencies: EffectDependencies,
  context: EffectContext,
  outcome: SubmitOutcome,
): Promise<SubmitEffects | 'samePassword'> {
  switch (outcome.kind) {
    case 'register':
      return registrationEffects(dependencies, context, outcome)
    case 'signIn':
      return signInEffects(dependencies, context, outcome)
    case 'resetPassword':
      return passwordReset(dependencies, context, outcome)
  }
}
