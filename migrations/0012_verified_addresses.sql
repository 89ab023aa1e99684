ALTER TABLE `users` ADD `email_verified` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `phone_verified` integer DEFAULT true NOT NULL;