ALTER TABLE `sign_in_experiences` ADD `agree_to_terms_policy` text DEFAULT 'ManualRegistrationOnly' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `terms_agreement` text;