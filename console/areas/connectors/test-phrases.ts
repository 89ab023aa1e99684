import { phrases } from '../../phrases.ts'

/** Explains the results of sign-in tests. */
export const texts = phrases({
  en: {
    succeeded: 'The test worked: {name} responded',
    refused: 'The test failed',
    pending: 'No response yet',
    pendingLead:
      '{name} hasn’t sent you back to this browser yet. The test only works in the browser and tab where you started it. If you’re already back, test again.',
    over: 'This test has expired',
    overLead: 'We keep the result for ten minutes, and only for the person who started the test. Test again.',
    id: 'ID',
    notTold: 'not provided',
    complete: 'The provider returned everything that your sign-up asks for.',
    asked: 'We’ll ask new users for this after their first sign-in: {missing}.',
    username: 'username',
    noEmail:
      '{name} didn’t return an email address. It returns one only if the scope and your application’s permissions there allow it, and we use it only if {name} has verified it.',
    emailAbsent:
      'The ID token has no email address, and neither has userinfo. Check the scope below, and your application’s permissions at {name}.',
    emailUnverified:
      '{name} returned an email address but doesn’t say that it’s verified, so we don’t use it.',
    emailsFailed:
      '{name} didn’t return the account’s email addresses when we asked for them. A GitHub App needs read access to email addresses. The Worker’s log contains the response (social_incomplete).',
    userInfoAbsent:
      'The ID token has no email address, and we know no userinfo endpoint to ask. Enter one below if {name} has one.',
    userInfoFailed:
      'The ID token is incomplete, and userinfo didn’t respond as expected. Users can sign in, but without the missing values. The Worker’s log contains the reason (social_incomplete).',
    notShown: 'Users don’t see the button yet. Show it on the sign-in page when you’re done.',
    said: 'The provider says: {error}',
    look: 'Check again',
    cancelled: '{name} says that the sign-in was declined.',
    cancelledDo:
      'If you didn’t cancel it yourself, your application there may only be open to test users, or an administrator may have to approve it. The guide shows where to check.',
    otherIssuer: 'The response came from a different issuer than the one in the settings.',
    otherIssuerDo: 'Compare “Issuer” with the provider’s discovery document.',
    sentBack: '{name} sent you back with an error.',
    sentBackDo:
      'Look up the error in the provider’s documentation. For “invalid_scope”, correct the scope below. For “unauthorized_client”, check your application’s settings at the provider.',
    noAnswer: '{name} didn’t respond as expected, or not at all.',
    noAnswerDo:
      'If you’ve entered any URLs below, check them. Otherwise, try again in a minute. The Worker’s log contains the provider’s response (social_failed).',
    code: '{name} accepted your sign-in, but then didn’t issue any tokens.',
    codeDo:
      'The client secret is probably wrong. Below, you can see what {name} says about it. If the secret is right, compare the callback URL registered there with the one in the guide.',
    profile: '{name} refused to return the account’s profile.',
    profileDo: 'Check the scope below, and check your application’s permissions at the provider.',
    idToken: 'The ID token from {name} doesn’t match the settings.',
    idTokenDo: 'Compare the client ID and the issuer. The provider’s clock may also be wrong.',
    response: '{name} returned a response that the connector can’t read.',
    responseDo: 'Check whether the URLs below are the right endpoints, and check the profile map.',
    config: 'The stored settings are incomplete.',
    configDo: 'Fill in the fields below and save.',
    gone: 'The connector was removed in the meantime.',
    goneDo: 'Install it again.',
    other: 'Something went wrong: {code}',
    otherDo: 'Try again. For details, check the Worker’s log.',
  },
  de: {
    succeeded: 'Der Test war erfolgreich: {name} hat geantwortet',
    refused: 'Der Test war nicht erfolgreich',
    pending: 'Noch keine Antwort',
    pendingLead:
      'Die Anmeldung bei {name} ist nicht in diesen Browser zurückgekommen. Ein Test gilt nur in dem Browser und Tab, in dem er begonnen wurde. Testen Sie erneut, wenn Sie schon zurück sind.',
    over: 'Dieser Test ist abgelaufen',
    overLead:
      'Das Ergebnis wird zehn Minuten aufbewahrt, für die Person, die den Test begonnen hat. Testen Sie erneut.',
    id: 'ID',
    notTold: 'nicht mitgeteilt',
    complete: 'Der Anbieter hat alles geliefert, was Ihre Registrierung verlangt.',
    asked: 'Neue Benutzer werden nach ihrer ersten Anmeldung danach gefragt: {missing}.',
    username: 'Benutzername',
    noEmail:
      '{name} hat keine E-Mail-Adresse mitgeteilt. Das geschieht nur, wenn Scope und Berechtigungen Ihrer Anwendung dort danach fragen, und die Adresse zählt nur, wenn {name} sie bestätigt hat.',
    emailAbsent:
      'Das ID-Token enthält keine E-Mail-Adresse, und Userinfo auch nicht. Prüfen Sie unten den Scope und bei {name} die Berechtigungen Ihrer Anwendung.',
    emailUnverified:
      '{name} hat eine E-Mail-Adresse mitgeteilt, sagt aber nicht, dass sie bestätigt ist. Deshalb verwenden wir sie nicht.',
    emailsFailed:
      '{name} hat die E-Mail-Adressen des Kontos auf Anfrage nicht mitgeteilt. Eine GitHub App braucht Lesezugriff auf E-Mail-Adressen. Die Antwort steht im Protokoll des Workers (social_incomplete).',
    userInfoAbsent:
      'Das ID-Token enthält keine E-Mail-Adresse, und wir kennen keinen Userinfo-Endpunkt. Tragen Sie unten einen ein, wenn {name} einen hat.',
    userInfoFailed:
      'Das ID-Token ist unvollständig, und Userinfo hat nicht wie erwartet geantwortet. Benutzer können sich anmelden, aber ohne die fehlenden Angaben. Der Grund steht im Protokoll des Workers (social_incomplete).',
    notShown:
      'Benutzer sehen den Button noch nicht. Zeigen Sie ihn auf der Anmeldeseite an, wenn Sie fertig sind.',
    said: 'Der Anbieter sagt: {error}',
    look: 'Erneut prüfen',
    cancelled: 'Laut {name} wurde die Anmeldung abgelehnt.',
    cancelledDo:
      'Falls Sie nicht selbst abgebrochen haben: Vielleicht steht Ihre Anwendung dort nur Testbenutzern offen, oder ein Administrator muss sie erlauben. Die Anleitung sagt, wo.',
    otherIssuer: 'Die Antwort stammt von einem anderen Issuer als dem eingestellten.',
    otherIssuerDo: 'Vergleichen Sie „Issuer“ mit dem Discovery-Dokument des Anbieters.',
    sentBack: '{name} hat Sie mit einem Fehler zurückgeschickt.',
    sentBackDo:
      'Schlagen Sie den Fehler beim Anbieter nach. „invalid_scope“ beheben Sie unten beim Scope, „unauthorized_client“ in den Einstellungen Ihrer Anwendung dort.',
    noAnswer: '{name} hat nicht wie erwartet geantwortet, oder gar nicht.',
    noAnswerDo:
      'Falls Sie unten Adressen eingestellt haben, prüfen Sie sie. Sonst versuchen Sie es in einer Minute erneut. Was der Anbieter sagte, steht im Protokoll des Workers (social_failed).',
    code: '{name} hat Ihre Anmeldung angenommen, dann aber keine Tokens ausgestellt.',
    codeDo:
      'Meist stimmt das Client-Secret nicht: Unten steht, was {name} zu den Zugangsdaten sagt. Sonst ist dort eine andere Callback-Adresse eingetragen als die in der Anleitung.',
    profile: '{name} lehnt es ab, das Profil des Kontos herauszugeben.',
    profileDo: 'Prüfen Sie unten den Scope, und beim Anbieter die Berechtigungen Ihrer Anwendung.',
    idToken: 'Das ID-Token von {name} passt nicht zu den Einstellungen.',
    idTokenDo: 'Vergleichen Sie Client-ID und Issuer. Auch die Uhr des Anbieters kann falsch gehen.',
    response: '{name} hat etwas geantwortet, das der Konnektor nicht lesen kann.',
    responseDo:
      'Prüfen Sie, ob die Adressen unten zu den richtigen Aufrufen führen, und die Profilzuordnung.',
    config: 'Die gespeicherten Einstellungen sind nicht vollständig.',
    configDo: 'Füllen Sie die Felder unten aus und speichern Sie.',
    gone: 'Der Konnektor wurde inzwischen entfernt.',
    goneDo: 'Installieren Sie ihn erneut.',
    other: 'Etwas ging schief: {code}',
    otherDo: 'Versuchen Sie es erneut. Was geschehen ist, steht im Protokoll des Workers.',
  },
})
