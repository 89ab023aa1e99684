ALTER TABLE `trusted_browsers` ADD `remembered_at` integer;--> statement-breakpoint
ALTER TABLE `trusted_browsers` ADD `remembered_until` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `factors_changed_at` integer;